import { forgetfulCounterLimiter, perSecondLimiter } from '../mechanisms/faulty-sliding.ts';
import { faultyWindowLimiter } from '../mechanisms/faulty-window.ts';
import { isDeferred, LIMITS, type Limiter } from '../mechanisms/limiter.ts';
import { apart, COUNTING, called, type Defect, headers, limiter, WINDOWS } from './defect.ts';

/** Limits that are wrong, and requests that are counted wrongly, one at a time. */
export const COUNTING_DEFECTS: readonly Defect[] = [
  {
    name: 'limit-plus-one',
    number: 1,
    description: 'one request more than the limit is let through, with 0 left twice',
    must: ['LIMIT-R', 'LIMIT-W'],
    may: COUNTING,
    observable: true,
    change: () => ({
      limit: (kind) => LIMITS[kind] + 1,
      headers: (lines, { remaining }) => ({ ...lines, remaining: [`${Math.max(0, remaining - 1)}`] }),
    }),
  },
  {
    name: 'limit-minus-one',
    number: 2,
    description: 'the last request that the headers promise is refused',
    must: ['LIMIT-R', 'LIMIT-W'],
    may: COUNTING,
    observable: true,
    change: () => ({
      limit: (kind) => LIMITS[kind] - 1,
      headers: (lines, { remaining, status }) => ({ ...lines, remaining: [`${status === 429 ? 0 : remaining + 1}`] }),
    }),
  },
  {
    name: 'one-more-counted-down',
    number: null,
    description: 'one request more than the limit is let through, and Remaining counts down from there',
    must: ['LIMIT-R', 'LIMIT-W'],
    may: COUNTING,
    observable: true,
    change: () => ({ limit: (kind) => LIMITS[kind] + 1 }),
  },
  {
    name: 'short-second-window',
    number: 3,
    description: 'from the second window on, one request less is let through',
    must: ['LIMIT-R'],
    may: [...COUNTING, 'LIMIT-W', 'LIMIT-WINDOW'],
    observable: true,
    variant: 'anchored',
    change: limiter(() => faultyWindowLimiter({ shortFrom: 2 })),
  },
  {
    name: 'first-request-free',
    number: 4,
    description: 'the first request of a window is not counted',
    must: ['HDR-4'],
    may: [...COUNTING, 'LIMIT-R', 'LIMIT-W'],
    observable: true,
    variant: 'anchored',
    change: limiter(() => faultyWindowLimiter({ firstFree: true })),
  },
  {
    name: 'limits-swapped',
    number: 5,
    description: 'X-RateLimit-Limit is that of the other kind',
    must: ['HDR-3'],
    may: ['HDR-4'],
    observable: true,
    change: headers((_lines, { arrival }) => ({ limit: [`${LIMITS[arrival.kind === 'read' ? 'write' : 'read']}`] })),
  },
  called('shared budget', {
    name: 'shared-kinds',
    number: 6,
    description: 'reads and writes of a key are counted together',
    must: ['LIMIT-RW'],
    may: WINDOWS,
    observable: true,
    change: () => ({ budget: ({ presentation }) => presentation.holder?.name ?? 'anonymous' }),
  }),
  {
    name: 'writes-cost-reads',
    number: null,
    description: 'each write is counted as a read too',
    must: ['LIMIT-RW'],
    may: WINDOWS,
    observable: true,
    change: () => ({
      extraCharges: ({ kind, presentation }) => (kind === 'write' ? [`${presentation.holder?.name} read`] : []),
    }),
  },
  {
    name: 'get-counted-twice',
    number: 7,
    description: 'a GET is counted twice',
    must: ['HDR-4'],
    may: [...WINDOWS, 'LIMIT-SCOPE'],
    observable: true,
    change: ({ budget }) => ({ extraCharges: (arrival) => (arrival.method === 'GET' ? [budget(arrival)] : []) }),
  },
  {
    name: 'some-counted-twice',
    number: 8,
    description: 'one request in 50 is counted twice',
    must: ['HDR-4'],
    may: WINDOWS,
    observable: true,
    change: ({ budget }) => {
      let asked = 0;
      return { extraCharges: (arrival) => (++asked % 50 === 0 ? [budget(arrival)] : []) };
    },
  },
  {
    name: 'per-second-limit',
    number: 9,
    description: 'a limit per second, told as if it were the minute’s',
    must: ['LIMIT-WINDOW'],
    may: WINDOWS,
    observable: true,
    change: limiter(perSecondLimiter),
  },
  {
    name: 'forgotten-bucket',
    number: 41,
    description: 'a sliding counter that forgets the previous bucket half a minute too early',
    must: ['LIMIT-HISTORY'],
    may: WINDOWS,
    observable: true,
    variant: 'counter',
    change: limiter(forgetfulCounterLimiter),
  },
  {
    name: 'never-refuses',
    number: 70,
    description: 'everything is counted and nothing refused',
    must: ['LIMIT-R', 'LIMIT-W'],
    may: [...WINDOWS, 'STATUS-429', 'LIMIT-SCOPE', 'LIMIT-EVADE', 'LIMIT-HEADER'],
    observable: true,
    change: ({ limiter: counting }) => ({ limiter: accepting(counting) }),
  },
  {
    name: 'bursts-above-limit',
    number: null,
    description: 'a tenth more than the limit is let through, with 0 left for all of it',
    must: ['LIMIT-R', 'LIMIT-W'],
    may: COUNTING,
    observable: true,
    change: () => ({
      limit: (kind) => LIMITS[kind] + LIMITS[kind] / 10,
      headers: (lines, { remaining, arrival }) => ({
        ...lines,
        remaining: [`${Math.max(0, remaining - LIMITS[arrival.kind] / 10)}`],
      }),
    }),
  },
  {
    name: 'same-limit-for-writes',
    number: null,
    description: 'writes have the limit of reads, and say so',
    must: ['HDR-3', 'LIMIT-W'],
    may: COUNTING,
    observable: true,
    change: () => ({
      limit: () => LIMITS.read,
      headers: (lines) => ({ ...lines, limit: [`${LIMITS.read}`] }),
    }),
  },
  {
    name: 'labels-apart',
    number: null,
    description: 'requests to labels are counted on a budget of their own',
    must: ['LIMIT-SCOPE'],
    may: WINDOWS,
    observable: true,
    change: apart(({ group }) => (group === 'labels' ? 'labels' : '')),
  },
];

/** A limiter that counts as this one and accepts everything. */
function accepting(counting: Parameters<Defect['change']>[0]['limiter']): Limiter {
  return {
    ...counting,
    decide(budget, limit, now) {
      const decision = counting.decide(budget, limit, now);
      if (isDeferred(decision)) throw new TypeError('only limiters that decide at once can be made to accept');
      return { ...decision, accepted: true };
    },
  };
}
