import { staleCountLimiter } from '../mechanisms/racing.ts';
import { COUNTING, called, type Defect, headers, limiter } from './defect.ts';

const REPLICA_LAG = 50_000;

/** Values of `X-RateLimit-Remaining` that are wrong where the counting itself is right. */
export const REMAINING_DEFECTS: readonly Defect[] = [
  {
    name: 'remaining-before-counting',
    number: 10,
    description: 'Remaining is the value before the request was counted',
    must: ['HDR-5'],
    may: ['HDR-4', 'LIMIT-HISTORY'],
    observable: true,
    change: headers((_lines, { status, remaining }) =>
      status === 429 || status === 401 ? {} : { remaining: [`${remaining + 1}`] },
    ),
  },
  {
    name: 'remaining-negative',
    number: 11,
    description: 'Remaining goes on below zero on refusals',
    must: ['HDR-4'],
    may: ['HDR-2', 'HDR-5'],
    observable: true,
    change: () => {
      let refused = 0;
      return {
        headers: (lines, { status }) =>
          status === 429 ? { ...lines, remaining: [`${-(1 + (refused++ % 9))}`] } : lines,
      };
    },
  },
  {
    name: 'remaining-on-refusal',
    number: 12,
    description: 'Remaining is 1 on a 429',
    must: ['HDR-5'],
    may: ['HDR-4', 'LIMIT-HISTORY'],
    observable: true,
    change: headers((_lines, { status }) => (status === 429 ? { remaining: ['1'] } : {})),
  },
  {
    name: 'limit-on-refusal',
    number: null,
    description: 'Remaining is the whole limit on a 429',
    must: ['HDR-5'],
    may: ['HDR-4', 'LIMIT-HISTORY'],
    observable: true,
    change: headers((lines, { status }) => (status === 429 ? { remaining: lines.limit } : {})),
  },
  {
    name: 'missing-not-shown',
    number: 13,
    description: 'a 404 is counted, and its own Remaining does not show it',
    must: ['HDR-4'],
    may: ['HDR-5', 'LIMIT-ATOMIC', 'LIMIT-HISTORY'],
    observable: true,
    change: headers((_lines, { status, remaining }) => (status === 404 ? { remaining: [`${remaining + 1}`] } : {})),
  },
  called('check-then-act race', {
    name: 'stale-replica',
    number: 14,
    description: 'counts are read from a replica that is 50 ms behind',
    must: ['LIMIT-ATOMIC'],
    may: [...COUNTING, 'LIMIT-R', 'LIMIT-W'],
    observable: true,
    change: limiter(() => staleCountLimiter(REPLICA_LAG)),
  }),
  {
    name: 'late-read',
    number: 15,
    description: 'Remaining is read again when the answer is written',
    must: [],
    may: [],
    observable: 'it conforms: a value read late is what is left then, so it is a variant and no defect',
    variant: 'anchored-late-read',
    change: () => ({}),
  },
  {
    name: 'value-of-another-policy',
    number: 16,
    description: 'Limit and Remaining are those of an hourly limit',
    must: ['HDR-3'],
    may: ['HDR-4', 'HDR-5', 'LIMIT-HISTORY'],
    observable: true,
    change: headers((_lines, { remaining }) => ({ limit: ['1000'], remaining: [`${900 + remaining}`] })),
  },
  {
    name: 'remaining-frozen',
    number: null,
    description: 'Remaining is one less than the limit on every success',
    must: ['HDR-4'],
    may: ['HDR-5', 'LIMIT-ATOMIC', 'LIMIT-HISTORY'],
    observable: true,
    change: headers((lines, { status }) =>
      status === 200 ? { remaining: lines.limit.map((limit) => `${Number(limit) - 1}`) } : {},
    ),
  },
  {
    name: 'remaining-counts-up',
    number: null,
    description: 'Remaining is what was used',
    must: ['HDR-4'],
    may: ['HDR-5', 'LIMIT-ATOMIC', 'LIMIT-HISTORY'],
    observable: true,
    change: headers((lines, { remaining, status }) =>
      status === 401 ? {} : { remaining: lines.limit.map((limit) => `${Number(limit) - remaining}`) },
    ),
  },
  {
    name: 'remaining-in-tens',
    number: null,
    description: 'Remaining is rounded down to a multiple of ten',
    must: ['HDR-4'],
    may: ['HDR-5', 'LIMIT-ATOMIC', 'LIMIT-HISTORY'],
    observable: true,
    change: headers((_lines, { remaining }) => ({ remaining: [`${Math.floor(remaining / 10) * 10}`] })),
  },
];
