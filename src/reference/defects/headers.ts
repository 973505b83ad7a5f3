import type { RequirementId } from '../../catalogue/requirement.ts';
import type { LimitHeader } from '../../deployment/deviations/limit-header.ts';
import { type Change, type Defect, deviating, handMade, headers } from './defect.ts';

const NONE = { limit: [], remaining: [], reset: [] };

/** What cannot be judged, and so may be called a failure by no one, where headers are missing or unreadable. */
const UNREADABLE: readonly RequirementId[] = ['HDR-1', 'HDR-2', 'HDR-3', 'HDR-6'];

function missing(name: string, number: number | null, description: string, statuses: readonly number[]): Defect {
  const change = headers((_lines, { status }) => (statuses.includes(status) ? NONE : {}));
  return handMade(name, number, description, ['HDR-1'], [], change);
}

function unreadable(
  name: string,
  number: number | null,
  description: string,
  must: RequirementId,
  change: Change,
): Defect {
  return handMade(name, number, description, [must], UNREADABLE, change);
}

function told(
  name: string,
  number: number | null,
  kinds: LimitHeader['kinds'],
  change: LimitHeader['change'],
  description: string,
): Defect {
  return deviating(
    name,
    number,
    { operator: 'limit-header', parameters: { kinds, change, only: 'all' } },
    { description },
  );
}

/** The three headers missing, twice, or not as integers. */
export const HEADER_DEFECTS: readonly Defect[] = [
  missing('no-headers-on-429', 60, 'no headers on a refusal', [429]),
  missing('no-headers-on-401', 61, 'no headers on a 401', [401]),
  missing('no-headers-on-403', 61, 'no headers on a 403', [403]),
  missing('no-headers-on-400', 61, 'no headers on a 400', [400]),
  missing('no-headers-on-404', 62, 'no headers on a 404', [404]),
  missing('no-headers-on-500', 64, 'no headers on a 500', [500]),
  missing('no-headers', null, 'no headers at all', [200, 400, 401, 403, 404, 429, 500]),
  unreadable(
    'reset-only-on-429',
    63,
    'X-RateLimit-Reset on refusals only',
    'HDR-1',
    headers((_lines, { status }) => (status === 429 ? {} : { reset: [] })),
  ),
  unreadable(
    'no-limit-header',
    null,
    'no X-RateLimit-Limit',
    'HDR-1',
    headers(() => ({ limit: [] })),
  ),
  unreadable(
    'no-remaining-header',
    null,
    'no X-RateLimit-Remaining',
    'HDR-1',
    headers(() => ({ remaining: [] })),
  ),
  unreadable(
    'header-twice',
    65,
    'X-RateLimit-Remaining twice: its own value and that of a gateway',
    'HDR-2',
    headers(({ remaining }) => ({ remaining: [...remaining, '4999'] })),
  ),
  unreadable(
    'header-joined',
    65,
    'two values in one X-RateLimit-Limit',
    'HDR-2',
    headers(({ limit: [limit] }) => ({ limit: [`${limit}, 99`] })),
  ),
  unreadable(
    'limit-with-policy',
    66,
    'X-RateLimit-Limit with the policy in it',
    'HDR-2',
    headers(({ limit: [limit] }) => ({ limit: [`${limit}, ${limit};w=60`] })),
  ),
  unreadable(
    'limit-with-decimals',
    66,
    'X-RateLimit-Limit with decimals',
    'HDR-2',
    headers(({ limit: [limit] }) => ({ limit: [`${limit}.00`] })),
  ),
  unreadable(
    'remaining-with-decimals',
    66,
    'X-RateLimit-Remaining with decimals',
    'HDR-2',
    headers(({ remaining: [remaining] }) => ({ remaining: [`${remaining}.0`] })),
  ),
  unreadable(
    'header-in-words',
    null,
    'X-RateLimit-Remaining is "none" where nothing is left',
    'HDR-2',
    headers((_lines, { remaining }) => (remaining === 0 ? { remaining: ['none'] } : {})),
  ),
  unreadable(
    'reset-in-hex',
    null,
    'X-RateLimit-Reset in hexadecimal',
    'HDR-2',
    headers(({ reset: [reset] }) => ({
      reset: [`0x${Number(reset).toString(16)}`],
    })),
  ),
  unreadable(
    'other-names',
    67,
    'the headers are called RateLimit-*',
    'HDR-1',
    headers(({ limit, remaining, reset }) => ({
      ...NONE,
      other: {
        'RateLimit-Limit': limit.join(),
        'RateLimit-Remaining': remaining.join(),
        'RateLimit-Reset': reset.join(),
      },
    })),
  ),
  told(
    'limit-of-reads-on-writes',
    null,
    ['write'],
    'limit of the other kind',
    'X-RateLimit-Limit is 100 on writes too, which are refused after 30',
  ),
  told(
    'limits-swapped',
    5,
    ['read', 'write'],
    'limit of the other kind',
    'X-RateLimit-Limit is that of the other kind',
  ),
  told(
    'limit-header-off-by-one',
    null,
    ['read', 'write'],
    { offset: -1 },
    'X-RateLimit-Limit is one less than the limit',
  ),
  told('limit-header-is-remaining', null, ['read', 'write'], 'remaining', 'X-RateLimit-Limit is what is left'),
];
