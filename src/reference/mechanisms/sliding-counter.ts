import { type CounterReset, type CounterRounding, WINDOW } from '../../deployment/deployment.ts';
import type { Mechanics } from './mechanics.ts';
import { type Phase, startOnGrid } from './phase.ts';

interface Buckets {
  phase: number;
  /** Start of the current bucket. */
  start: number;
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
 * M4: a sliding counter over two buckets of a grid. Let P be the count of the previous bucket, C that of this one, and
 * f the elapsed part of this one. A request is accepted if q(P(1 − f)) + C + 1 is at most the limit.
 *
 * @param options.phase φ of each budget's grid
 * @param options.window W in µs
 * @param options.latch after a refusal, refuses until the bucket ends, as limiters that cache refused keys do
 * @param options.countRefused counts refused requests too: then C includes this request, and the sum is at most the
 * limit
 * @param options.reanchor begins a new grid with the first request after two unused buckets, as stores with expiry do
 * @param options.forgetAfter the part of a bucket after which the previous one is forgotten: 1, except for a faulty one
 */
export function slidingCounter(options: {
  readonly phase: Phase;
  readonly window?: number;
  readonly rounding?: CounterRounding;
  readonly latch?: boolean;
  readonly reanchor?: boolean;
  readonly countRefused?: boolean;
  readonly reset?: CounterReset;
  readonly forgetAfter?: number;
}): Mechanics<Buckets> {
  const { phase, window = WINDOW, rounding = 'floor', reset = 'bucket', forgetAfter = 1 } = options;
  const { latch = false, reanchor = false, countRefused = false } = options;

  function begin(origin: number, now: number): Buckets {
    const start = startOnGrid(origin, window, now);
    return { phase: origin, start, current: 0, previous: 0, latchedUntil: Number.NEGATIVE_INFINITY };
  }

  return {
    at(last, budget, _limit, now) {
      const buckets = last ?? begin(phase(budget, now), now);
      if (now < buckets.start + window) return buckets;
      const idle = now >= buckets.start + 2 * window;
      const next = begin(reanchor && idle ? now : buckets.phase, now);
      return Object.assign(buckets, { ...next, previous: idle ? 0 : buckets.current });
    },
    left({ start, previous, current, latchedUntil }, limit, now) {
      if (now < latchedUntil) return 0;
      const share = now - start < forgetAfter * window ? (previous * (start + window - now)) / window : 0;
      return limit - ROUND[rounding](share) - current;
    },
    count(buckets, _limit, _now, weight) {
      buckets.current = Math.max(0, buckets.current + weight);
    },
    refuse(buckets) {
      if (countRefused) buckets.current++;
      if (latch) buckets.latchedUntil = buckets.start + window;
    },
    reset({ start, previous }, _limit, now) {
      const end = start + window;
      if (reset === 'now') return now + window;
      return reset === 'bucket' || previous === 0 ? end : now + ((end - now) % (window / previous));
    },
    stamp: ({ start }) => start,
    refund(buckets, stamp) {
      if (buckets.start === stamp && buckets.current > 0) buckets.current--;
    },
    copy: (buckets) => ({ ...buckets }),
  };
}
