import type { RequirementId } from '../../catalogue/requirement.ts';
import type { Arrival } from '../arrival.ts';
import { apart, called, type Defect, SCOPES } from './defect.ts';

type Change = Defect['change'];

function scope(name: string, number: number | null, description: string, must: RequirementId, change: Change): Defect {
  const may = [...SCOPES, ...alsoSeen(must)];
  return { name, number, description, must: [must], may, observable: true, change };
}

/** A request that is sent to show one kind of scope may differ in another: a new connection is another address, too. */
function alsoSeen(must: RequirementId): readonly RequirementId[] {
  const evasion: readonly RequirementId[] = ['LIMIT-SCOPE', 'LIMIT-HEADER', 'LIMIT-EVADE'];
  return evasion.includes(must) ? evasion.filter((id) => id !== must) : [];
}

const pathOf = ({ target }: Arrival): string => target.split('?', 1)[0] ?? '';

/** Budgets that are not those of the key. */
export const SCOPE_DEFECTS: readonly Defect[] = [
  scope(
    'per-route',
    52,
    'each operation has a budget of its own',
    'LIMIT-SCOPE',
    apart(({ route }) => route),
  ),
  scope(
    'per-group',
    52,
    'each resource group has a budget of its own',
    'LIMIT-SCOPE',
    apart(({ group }) => `${group}`),
  ),
  scope(
    'per-method',
    52,
    'each method has a budget of its own',
    'LIMIT-SCOPE',
    apart(({ method }) => method),
  ),
  called(
    'shared budget',
    scope('per-address', 53, 'the budget is that of the client’s address', 'LIMIT-KEY', () => ({
      budget: ({ address, kind }) => `${address} ${kind}`,
    })),
  ),
  called(
    'shared budget',
    scope('one-for-all', 53, 'all keys draw on one budget', 'LIMIT-KEY', () => ({ budget: ({ kind }) => kind })),
  ),
  called(
    'shared budget',
    scope('keys-in-pairs', null, 'two keys draw on one budget, and the next two on another', 'LIMIT-KEY', () => ({
      budget: ({ presentation: { holder }, kind }) => `${PAIRS.get(holder?.name ?? '') ?? holder?.name} ${kind}`,
    })),
  ),
  scope(
    'forwarded-for',
    54,
    'each X-Forwarded-For has a budget of its own',
    'LIMIT-EVADE',
    apart(({ forwardedFor }) => forwardedFor ?? ''),
  ),
  scope(
    'forwarded',
    54,
    'each Forwarded header has a budget of its own',
    'LIMIT-EVADE',
    apart(({ forwarded }) => forwarded ?? ''),
  ),
  scope(
    'path-case',
    55,
    'the case of the path gives another budget',
    'LIMIT-EVADE',
    apart((arrival) => (pathOf(arrival) === pathOf(arrival).toLowerCase() ? '' : pathOf(arrival))),
  ),
  scope(
    'trailing-slash',
    55,
    'a trailing slash gives another budget',
    'LIMIT-EVADE',
    apart((arrival) => (pathOf(arrival).endsWith('/') ? 'slash' : '')),
  ),
  scope(
    'query-string',
    55,
    'each query string has a budget of its own',
    'LIMIT-EVADE',
    apart(({ target }) => target.split('?', 2)[1] ?? ''),
  ),
  scope(
    'spaces-around-key',
    56,
    'spaces around the key give another budget',
    'LIMIT-EVADE',
    apart(({ presentation: { text } }) => (text === text.trim() ? '' : `${text.length}`)),
  ),
  scope(
    'per-connection',
    57,
    'each connection has a budget of its own',
    'LIMIT-EVADE',
    apart(({ connection }) => `${connection}`),
  ),
  scope(
    'per-user-agent',
    null,
    'each User-Agent has a budget of its own',
    'LIMIT-EVADE',
    apart(({ userAgent }) => userAgent ?? ''),
  ),
  scope(
    'real-ip',
    null,
    'each X-Real-IP has a budget of its own',
    'LIMIT-EVADE',
    apart(({ realIp }) => realIp ?? ''),
  ),
  scope(
    'per-header',
    58,
    'Bearer and X-API-Key have a budget each',
    'LIMIT-HEADER',
    apart(({ presentation }) => presentation.way),
  ),
  scope('anonymous-charged', 59, 'requests without a key are charged to the first key', 'LIMIT-ANON', () => ({
    anonymousBudget: ({ kind, presentation }) => (presentation.way === 'none' ? `key-1 ${kind}` : null),
  })),
  scope(
    'bad-keys-charged',
    59,
    'requests with a key that is not accepted are charged to the first key',
    'LIMIT-ANON',
    () => ({
      anonymousBudget: ({ kind, presentation }) => (presentation.way === 'none' ? null : `key-1 ${kind}`),
    }),
  ),
  scope(
    'resembling-keys-charged',
    null,
    'a request with a key that is nearly that of another is refused and charged to it',
    'LIMIT-ANON',
    () => ({
      anonymousBudget: ({ kind, presentation: { resembles } }) =>
        resembles === null ? null : `${resembles.name} ${kind}`,
    }),
  ),
];

/** The budget of each key, by the keys' names. */
const PAIRS: ReadonlyMap<string, string> = new Map([
  ['key-1', 'first pair'],
  ['key-2', 'first pair'],
  ['key-3', 'second pair'],
  ['key-4', 'second pair'],
]);
