import type { RequirementId } from '../catalogue/requirement.ts';
import { GROUPS } from '../trace/exchange.ts';

/** Something that a requirement needs to be tested. */
export type Need = keyof typeof REMEDIES;

/** What to do if it is missing. */
export const REMEDIES = {
  'accepted keys': 'set SIZE_CHART_KEYS to keys that this deployment accepts',
  'two keys': 'add a second full key to SIZE_CHART_KEYS (with four, a run finds the most)',
  'restricted key':
    'set SIZE_CHART_RESTRICTED_KEY to a valid key that may do at least one operation, but lacks permission for the requests under probes.forbidden',
  'a read': 'add a read operation that succeeds',
  'a write': 'add a write operation that succeeds',
  service: 'add an operation of the group service that succeeds',
  categories: 'add an operation of the group categories that succeeds',
  labels: 'add an operation of the group labels that succeeds',
  'every operation': 'correct or remove the operations that do not succeed',
  'two of a kind': 'add a second read or write operation that needs no prepare',
  'both headers': 'the key must be accepted in X-API-Key and in Authorization: Bearer',
  'three headers': 'the answers must carry the three X-RateLimit headers',
  'invalid parameter': 'add a probe whose operation succeeds to probes.invalid_parameter',
  'not found': 'add a probe whose operation succeeds to probes.not_found',
  forbidden: 'add a probe whose operation succeeds with a full key to probes.forbidden',
  'internal failure':
    'add a probe to probes.internal_failure if you know a way to provoke a failure; a certificate does not need it',
} as const;

const BUDGETS: readonly Need[] = ['accepted keys', 'a read', 'a write'];
const COUNTS: readonly Need[] = [...BUDGETS, 'three headers'];
const ANYTHING: readonly Need[] = ['accepted keys'];

/** What each requirement needs, besides a target that answers. */
export const NEEDS: Readonly<Record<RequirementId, readonly Need[]>> = {
  'AUTH-1': [...ANYTHING, ...GROUPS],
  'AUTH-2': [...ANYTHING, ...GROUPS],
  'AUTH-3': [...ANYTHING, ...GROUPS],
  'AUTH-4': [...ANYTHING, ...GROUPS],
  'AUTH-5': [...ANYTHING, ...GROUPS],
  'AUTH-6': ['restricted key', 'forbidden'],
  'AUTH-7': ANYTHING,
  'AUTH-O1': ANYTHING,
  'AUTH-O2': ANYTHING,
  'AUTH-O3': ANYTHING,
  'STATUS-200': [...ANYTHING, 'every operation'],
  'STATUS-400': [...ANYTHING, 'invalid parameter'],
  'STATUS-401': ANYTHING,
  'STATUS-403': ['restricted key', 'forbidden'],
  'STATUS-404': [...ANYTHING, 'not found'],
  'STATUS-429': BUDGETS,
  'STATUS-500': [...ANYTHING, 'internal failure'],
  'STATUS-SET': ANYTHING,
  'STATUS-NO5XX': ANYTHING,
  'HDR-1': [...BUDGETS, 'invalid parameter', 'restricted key', 'forbidden', 'not found'],
  'HDR-2': ANYTHING,
  'HDR-3': COUNTS,
  'HDR-4': COUNTS,
  'HDR-5': COUNTS,
  'HDR-6': [...ANYTHING, 'three headers'],
  'HDR-7': COUNTS,
  'HDR-8': COUNTS,
  'LIMIT-R': ['accepted keys', 'a read'],
  'LIMIT-W': ['accepted keys', 'a write'],
  'LIMIT-WINDOW': BUDGETS,
  'LIMIT-KEY': ['accepted keys', 'two keys'],
  'LIMIT-SCOPE': ['accepted keys', 'two of a kind'],
  'LIMIT-RW': BUDGETS,
  'LIMIT-HEADER': ['accepted keys', 'both headers'],
  'LIMIT-EVADE': ANYTHING,
  'LIMIT-ANON': ANYTHING,
  'LIMIT-ATOMIC': BUDGETS,
  'LIMIT-HISTORY': BUDGETS,
  'LIMIT-O1': ANYTHING,
  'VERSION-1': [...ANYTHING, 'every operation'],
  'VERSION-O1': ANYTHING,
};
