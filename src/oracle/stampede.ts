import { DRIFT, type ModelInput, type Span } from './model.ts';

/** Rounding error of sums of fractions. */
const ROUNDING = 1e-6;

/**
 * A period in which more was accepted than two successive buckets allow, wherever the boundary is; null: none. Of n
 * accepted requests, at the end of a period of length d, those of the bucket before still weigh at least 1 − d/W of
 * their number. This weight and the requests of the bucket itself are at most the limit, except for rounding: so n ≤ L
 * + L · d/W + 1. This holds whatever else is counted, because that only adds to the count.
 */
export function firstStampede(input: ModelInput): Span | null {
  const known = STAMPEDES.get(input);
  if (known !== undefined) return known;
  const found = findStampede(input);
  STAMPEDES.set(input, found);
  return found;
}

/** It depends on no bucket, and every model of an input needs it. */
const STAMPEDES = new WeakMap<ModelInput, Span | null>();

function findStampede({ events, limit, window, lag }: ModelInput): Span | null {
  const pace = (limit / window) * (1 + DRIFT);
  /** Candidates for the first request of the period, best first. */
  const starts: { readonly from: number; readonly gain: number }[] = [];
  let head = 0;
  let accepted = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const { outcome, from, to } of events) {
    if (outcome !== 'accepted') continue;
    const gain = pace * from - accepted;
    accepted += 1;
    end = Math.max(end, to);
    while (starts.length > head && (starts[starts.length - 1]?.gain ?? 0) <= gain) starts.pop();
    starts.push({ from, gain });
    while (head < starts.length - 1 && (starts[head]?.from ?? 0) < end - window) head += 1;
    const first = starts[head];
    if (!first || end - first.from > window) continue;
    if (accepted + first.gain - pace * (end + lag) > limit + 1 + ROUNDING) {
      return { startLow: first.from, startHigh: first.from, sureFrom: first.from, endLow: end, endHigh: end };
    }
  }
  return null;
}
