import { atLeast, atMost, below, upTo } from './counts.ts';
import type { Event, Range } from './history.ts';
import {
  type Alternative,
  DRIFT,
  firstOverfull,
  firstSpan,
  isAllKnown,
  itself,
  type Model,
  type ModelInput,
  type Span,
} from './model.ts';
import { lastSpent, type Spent } from './spent.ts';
import { partOf, withStraddling } from './straddling.ts';
import { totalsOf } from './totals.ts';

/** What a sliding counter's marker is: the end of its bucket, or the time at which a slot comes free. */
export type CounterMarker = 'bucket' | 'slot';

/**
 * What a bucket holds of before the history, and of the burst about its start: to be added to what is counted in it, at the
 * least, before a decision at `from` or later.
 */
function shareLow({ earlier, straddling }: Span, from: number): number {
  return (earlier?.low ?? 0) + (straddling && straddling.settled < from ? straddling.after.low : 0);
}

/** The same at the most: what fell before the bucket is taken off again. */
function shareHigh({ earlier, straddling }: Span, from: number): number {
  return (earlier?.high ?? 0) - (straddling && straddling.settled < from ? straddling.size - straddling.after.high : 0);
}

/** What sums of fractions may be off by. */
const ROUNDING = 1e-6;

/**
 * A stretch in which more was accepted than two buckets in a row let through, wherever the one ends; null: there is none.
 * Of n accepted requests, those of the bucket before weigh, at the end of a stretch of length d, 1 − d/W of their number
 * at the least, and that weight and the requests of the bucket itself are at most the limit, but for what rounding adds: so
 * n ≤ L + L · d/W + 1. It holds whatever else is counted, since that only takes more off.
 */
function firstStampede(input: ModelInput): Span | null {
  const known = STAMPEDES.get(input);
  if (known !== undefined) return known;
  const found = findStampede(input);
  STAMPEDES.set(input, found);
  return found;
}

/** It depends on no bucket, and every model of an input asks for it. */
const STAMPEDES = new WeakMap<ModelInput, Span | null>();

function findStampede({ events, limit, window, lag }: ModelInput): Span | null {
  const pace = (limit / window) * (1 + DRIFT);
  /** Candidates for the first request of the stretch, by how little time it would take up, best first. */
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
 * A sliding counter (M4): of the requests of the bucket before, the share that its weight gives is added to those of the
 * bucket so far. The share may be rounded down, up, to the nearest or not at all: the bounds take in all of these.
 *
 * @param latch refuses on after a refusal until the bucket ends, as limiters with a cache of refused keys do
 * @param marker where the marker points: to the end of the bucket; or to a slot that comes free, whichever that is
 */
export function slidingCounter(
  buckets: readonly Span[],
  input: ModelInput,
  latch: boolean,
  marker: CounterMarker = 'bucket',
): Model {
  const { counts, counting, limit, window, lag } = input;
  const totals = totalsOf(buckets, input);
  const inBuckets: (Range | null)[] = [];
  const spentBefore = lastSpent(input);
  const own = marker === 'slot';
  const allKnown = isAllKnown(input);

  /** How many were counted in the bucket before `index`: least and greatest. The same for all answers in `index`. */
  function totalBefore(index: number): Range | null {
    const known = inBuckets[index];
    if (known !== undefined) return known;
    const before = buckets[index - 1];
    const last = buckets[index]?.straddling;
    const total = before
      ? {
          low: Math.max(
            shareLow(before, Number.POSITIVE_INFINITY) +
              atLeast(counts, before.sureFrom, before.endLow) +
              (last ? last.size - last.after.high : 0),
            countedInFull(index - 1),
          ),
          high:
            shareHigh(before, Number.POSITIVE_INFINITY) +
            atMost(counts, before.startLow, before.endHigh, before.endLow) -
            (last?.after.low ?? 0),
        }
      : null;
    inBuckets[index] = total;
    return total;
  }

  /** Since when a bucket may have been full: where refusals are remembered, the first of them found it so. */
  function fullFrom({ startLow }: Span, { from }: Spent): number {
    return latch ? (counts.refusedFrom[below(counts.refusedFrom, startLow)] ?? from) : from;
  }

  /** How many a bucket holds at the least when it ends, where it was found full. */
  function countedInFull(index: number): number {
    const span = buckets[index];
    const spent = span && spentBefore(span.endLow);
    if (!spent || spent.from < span.startHigh) return 0;
    const before = buckets[index - 1];
    const carried = before
      ? (totalBefore(index)?.high ?? 0) * weight(before.startHigh, fullFrom(span, spent) - lag)
      : 0;
    return limit - Math.ceil(carried) + atLeast(counts, spent.to, span.endLow);
  }

  /** What a request of a bucket that starts at `start` still weighs at `time`, in the bucket after it. */
  function weight(start: number, time: number): number {
    return Math.min(1, Math.max(0, (start + 2 * window - time) / window));
  }

  /**
   * When a budget that refuses can have a request for the next at the earliest, less the time of one slot: the share of
   * the bucket before has to fall below what those of this bucket leave. With none to fall, the bucket has to end.
   */
  function freeFrom(index: number, event: Event): number {
    const span = buckets[index];
    const before = buckets[index - 1];
    if (!span || !before) return event.from;
    const previous = (before.earlier?.low ?? 0) + atLeast(counts, before.sureFrom, before.endLow);
    const slot = window / Math.max(1, previous);
    const rest = limit - (span.earlier?.low ?? 0) - atLeast(counts, span.sureFrom, event.from);
    const falls = before.startLow + 2 * window - (rest * window) / Math.max(1, previous) - input.lag;
    return Math.max(event.from, Math.min(falls, span.markerLow ?? span.endLow) - slot);
  }

  function latched(span: Span, event: Event): boolean {
    const others = upTo(counts.refusedFrom, event.to) - below(counts.refusedTo, span.startLow);
    return others > (event.outcome === 'refused' ? 1 : 0);
  }

  /** The estimate at the least since the bucket was found full: what has come since, less what the share of the bucket before may have fallen by. */
  function stillHeld(span: Span, carried: Range | null, event: Event): number {
    const spent = spentBefore(event.from);
    if (!spent || spent.from < span.startHigh || spent.to >= span.endLow) return 0;
    const fallen = ((carried?.high ?? 0) * (event.to - fullFrom(span, spent) + 2 * lag) * (1 + DRIFT)) / window;
    return limit + atLeast(counts, spent.to, event.from) - Math.ceil(fallen);
  }

  return {
    alternatives(event: Event, at?: number): readonly Alternative[] {
      const found: Alternative[] = [];
      const self = itself(event, counting);
      for (let index = firstSpan(buckets, event.from); index < buckets.length; index++) {
        const span = buckets[index];
        if (!span || span.startLow > event.to) break;
        const from = Math.max(event.from, span.startLow);
        const to = Math.min(event.to, span.endHigh);
        let low = shareLow(span, from) + totals.least(index, event, at);
        let high = shareHigh(span, from) + totals.most(index, event, at) - self;
        const before = buckets[index - 1];
        const carried = before && totalBefore(index);
        if (carried) {
          low += Math.floor(carried.low * weight(before.startLow, to + lag) + 1e-9);
          high += Math.ceil(carried.high * weight(before.startHigh, from - lag) - 1e-9);
        }
        found.push({
          low: Math.max(low, stillHeld(span, carried ?? null, event)),
          high,
          resetLow: own
            ? event.outcome === 'refused'
              ? freeFrom(index, event)
              : event.from
            : (span.markerLow ?? span.endLow),
          resetHigh: own ? event.to + window * (1 + DRIFT) + lag : span.endHigh,
          window: own ? null : (span.number ?? index),
          countedIn: span.number ?? index,
          leaving: allKnown ? ((carried?.high ?? 0) * (1 + DRIFT)) / window : null,
          ends: span.endLow,
          latched: latch && (span.earlier !== undefined || latched(span, event)),
        });
      }
      return found;
    },
    overfull: () => firstOverfull(buckets, input) ?? firstStampede(input),
    finer() {
      const spans = withStraddling(buckets, input);
      const straddled = spans.filter(({ straddling }) => straddling);
      if (straddled.length === 0) return null;
      const sizes = straddled.map(({ straddling }) => straddling?.size ?? 0);
      const starts = straddled.map(({ startLow }) => startLow);
      return { sizes, starts, part: (after) => slidingCounter(partOf(spans, after), input, latch, marker) };
    },
  };
}
