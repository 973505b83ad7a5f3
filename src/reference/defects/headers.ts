import type { RequirementId } from '../../catalogue/requirement.ts';
import type { Arrival } from '../arrival.ts';
import { headers } from '../deviating-headers.ts';
import { by, type Defect, handMade, telling } from './defect.ts';

const NONE = { limit: [], remaining: [], reset: [] };

/** Requirements that cannot be judged, and so need not fail, if headers are missing or unreadable. */
const UNREADABLE: readonly RequirementId[] = ['HDR-1', 'HDR-2', 'HDR-3', 'HDR-6'];

function missing(name: string, where: string, isMeant: (arrival: Arrival, status: number) => boolean): Defect {
  const change = headers((_lines, { arrival, status }) => (isMeant(arrival, status) ? NONE : {}));
  return handMade(name, `no headers ${where}`, { must: ['HDR-1'], change });
}

function missingOn(status: number, number: number): Defect {
  return { ...missing(`no-headers-on-${status}`, `on a ${status}`, (_arrival, each) => each === status), number };
}

type Lines = Parameters<typeof headers>[0];

function unreadable(must: 'HDR-1' | 'HDR-2', name: string, number: number | null, what: string, lines: Lines): Defect {
  return handMade(name, what, { number, must: [must], may: UNREADABLE, change: headers(lines) });
}

const told = telling('limit-header');

/** One of the headers has another text, which is no integer. */
function respelt(
  name: string,
  number: number | null,
  what: string,
  part: 'limit' | 'remaining' | 'reset',
  text: (value: string) => string,
): Defect {
  return unreadable('HDR-2', name, number, what, (lines) => ({ [part]: lines[part].map(text) }));
}

/** The three headers are missing, duplicated, or not integers. */
export const HEADER_DEFECTS: readonly Defect[] = [
  missingOn(429, 60),
  missingOn(401, 61),
  missingOn(403, 61),
  missingOn(400, 61),
  missingOn(404, 62),
  missingOn(500, 64),
  missing('no-headers', 'at all', () => true),
  missing('no-headers-on-labels', 'on labels', ({ group }) => group === 'labels'),
  missing('no-headers-on-an-operation', 'on the search for categories', ({ operation }) => {
    return operation === 'search-categories';
  }),
  missing('no-headers-by-bearer', 'where the key is sent by Authorization', by('bearer')),
  missing('no-headers-on-malformed-json', 'on answers to malformed JSON', ({ malformed }) => malformed),
  unreadable('HDR-1', 'reset-only-on-429', 63, 'X-RateLimit-Reset on refusals only', (_lines, { status }) =>
    status === 429 ? {} : { reset: [] },
  ),
  unreadable('HDR-1', 'no-limit-header', null, 'no X-RateLimit-Limit', () => ({ limit: [] })),
  unreadable('HDR-1', 'no-remaining-header', null, 'no X-RateLimit-Remaining', () => ({ remaining: [] })),
  unreadable('HDR-2', 'header-twice', 65, 'X-RateLimit-Remaining twice: its own and a gateway’s', ({ remaining }) => ({
    remaining: [...remaining, '4999'],
  })),
  respelt('header-joined', 65, 'two values in one Limit', 'limit', (limit) => `${limit}, 99`),
  respelt('limit-with-policy', 66, 'Limit with the policy', 'limit', (limit) => `${limit}, ${limit};w=60`),
  respelt('limit-with-decimals', 66, 'Limit with decimals', 'limit', (limit) => `${limit}.00`),
  respelt('remaining-with-decimals', 66, 'Remaining with decimals', 'remaining', (left) => `${left}.0`),
  respelt('header-in-words', null, 'Remaining "none" for 0', 'remaining', (left) => (left === '0' ? 'none' : left)),
  respelt('reset-in-hex', null, 'Reset in hexadecimal', 'reset', (end) => `0x${Number(end).toString(16)}`),
  unreadable('HDR-1', 'other-names', 67, 'the headers are called RateLimit-*', ({ limit, remaining, reset }) => ({
    ...NONE,
    other: {
      'RateLimit-Limit': limit.join(),
      'RateLimit-Remaining': remaining.join(),
      'RateLimit-Reset': reset.join(),
    },
  })),
  told('limit-of-reads-on-writes', null, 'limit of the other kind', { kinds: ['write'] }),
  told('limits-swapped', 5, 'limit of the other kind'),
  told('limit-header-off-by-one', null, { offset: -1 }),
  told('limit-header-is-remaining', null, 'remaining'),
];
