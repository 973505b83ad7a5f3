import { below, upTo } from './ascending.ts';
import { timesOf } from './limited.ts';
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

/**
 * The first moment at which more was accepted in a bucket and the one before than these allow; null: none. By then,
 * each request of both still weighs at least as much as one of the bucket before, so n ≤ (L + 1) / weight, rounding
 * included.
 *
 * @param weight of a request of the bucket before, which starts at `start`, at `time` (µs)
 */
export function firstOverfullPair(
  buckets: readonly Span[],
  { events, limit, lag }: ModelInput,
  weight: (start: number, time: number) => number,
): Span | null {
  const { froms, tos, rests } = acceptedIn(events);
  for (const [index, span] of buckets.entries()) {
    const before = buckets[index - 1];
    if (!before) continue;
    const sent = below(froms, before.sureFrom);
    for (let at = upTo(rests, span.startLow); (rests[at] ?? Number.POSITIVE_INFINITY) < span.endLow; at++) {
      const time = rests[at] ?? 0;
      const accepted = upTo(tos, time) - sent;
      if (accepted * weight(before.startLow, time + lag) > limit + 1 + ROUNDING) {
        const { startLow, startHigh, sureFrom } = before;
        return { startLow, startHigh, sureFrom, endLow: time, endHigh: time };
      }
    }
  }
  return null;
}

/** Accepted requests, and after which answers none of them was under way (µs, ascending). */
interface Accepted extends ReturnType<typeof timesOf> {
  readonly rests: Float64Array;
}

function acceptedIn(events: ModelInput['events']): Accepted {
  const known = ACCEPTED.get(events);
  if (known) return known;
  const { froms, tos } = timesOf(events.filter(({ outcome }) => outcome === 'accepted'));
  const found = { froms, tos, rests: tos.filter((to, at) => (froms[at + 1] ?? Number.POSITIVE_INFINITY) > to) };
  ACCEPTED.set(events, found);
  return found;
}

const ACCEPTED = new WeakMap<ModelInput['events'], Accepted>();
