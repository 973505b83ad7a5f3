import type { Phase } from './grid.ts';
import type { Decision, Limiter } from './limiter.ts';
import { WINDOW } from './limiter.ts';

/** How the weighted count of the previous bucket becomes the number that is compared; `real`: not rounded at all. */
export type CounterRounding = 'floor' | 'round' | 'ceil' | 'real';

interface Buckets {
  phase: number;
  index: number;
  current: number;
  previous: number;
  latchedUntil: number;
}

const ROUND: Readonly<Record<CounterRounding, (weight: number) => number>> = {
  floor: Math.floor,
  round: Math.round,
  ceil: Math.ceil,
  real: (weight) => weight,
};

/**
 * Where the marker points: to the end of the bucket; to the next moment at which the share of the bucket before falls by
 * one, or the bucket ends, as the Python package `limits` has it (`get_window_stats`); or one window from now, as
 * those write it whose limiter tells a rate and no bucket (HAProxy's stick tables).
 */
export type CounterReset = 'bucket' | 'slot' | 'now';

/**
 * M4: a sliding counter over two buckets of a grid. With P counted in the previous bucket, C in this one and f of it
 * gone, a request is accepted when q(P(1 − f)) + C + 1 is at most the limit.
 *
 * @param options.phase φ of each budget's grid
 * @param options.latch keeps refusing after a refusal until the bucket ends, as limiters with a cache of refused keys do
 * @param options.countRefused counts refused requests too: then C includes this request, and the sum is at most the limit
 * @param options.reanchor starts the grid anew at the first request after two idle buckets, as stores with expiry do
 */
export function slidingCounterLimiter(options: {
  readonly phase: Phase;
  readonly window?: number;
  readonly rounding?: CounterRounding;
  readonly latch?: boolean;
  readonly reanchor?: boolean;
  readonly countRefused?: boolean;
  readonly reset?: CounterReset;
}): Limiter {
  const { phase, window = WINDOW, rounding = 'floor', reset = 'bucket' } = options;
  const { latch = false, reanchor = false, countRefused = false } = options;
  const round = ROUND[rounding];
  const budgets = new Map<string, Buckets>();

  function roll(budget: string, now: number): Buckets {
    let buckets = budgets.get(budget);
    if (!buckets) {
      buckets = {
        phase: phase(budget, now),
        index: 0,
        current: 0,
        previous: 0,
        latchedUntil: Number.NEGATIVE_INFINITY,
      };
      buckets.index = Math.floor((now - buckets.phase) / window);
      budgets.set(budget, buckets);
    }
    let index = Math.floor((now - buckets.phase) / window);
    if (index > buckets.index) {
      buckets.previous = index === buckets.index + 1 ? buckets.current : 0;
      buckets.current = 0;
      if (reanchor && index > buckets.index + 1) {
        buckets.phase = now;
        index = 0;
      }
      buckets.index = index;
    }
    return buckets;
  }

  function marker({ previous }: Buckets, end: number, now: number): number {
    if (reset === 'now') return now + window;
    return reset === 'bucket' || previous === 0 ? end : now + ((end - now) % (window / previous));
  }

  function standing(buckets: Buckets, limit: number, now: number): Decision & { readonly used: number } {
    const end = buckets.phase + (buckets.index + 1) * window;
    const used = round((buckets.previous * (end - now)) / window) + buckets.current;
    const remaining = now < buckets.latchedUntil ? 0 : Math.max(0, Math.floor(limit - used));
    return { accepted: remaining >= 1, limit, remaining, reset: marker(buckets, end, now), stamp: buckets.index, used };
  }

  return {
    decide(budget, limit, now) {
      const buckets = roll(budget, now);
      const { accepted, stamp, used } = standing(buckets, limit, now);
      const end = buckets.phase + (buckets.index + 1) * window;
      if (accepted || countRefused) buckets.current++;
      if (!accepted && latch) buckets.latchedUntil = end;
      return {
        accepted,
        limit,
        remaining: accepted ? Math.floor(limit - used - 1) : 0,
        reset: marker(buckets, end, now),
        stamp,
      };
    },
    peek(budget, limit, now) {
      const { used: _, ...decision } = standing(roll(budget, now), limit, now);
      return decision;
    },
    refund(budget, decision, now) {
      const buckets = roll(budget, now);
      if (buckets.index === decision.stamp && buckets.current > 0) buckets.current--;
    },
  };
}
