import { below } from './ascending.ts';
import { atLeast, atMost } from './counts.ts';
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
  regainedBy,
  type Span,
} from './model.ts';
import { lastSpent, type Spent } from './spent.ts';
import { firstOverfullPair, firstStampede } from './stampede.ts';
import { partOf, withStraddling } from './straddling.ts';
import { totalsOf } from './totals.ts';

/**
 * The marker of a sliding counter: the end of its bucket, the time at which a slot becomes free, or one window from
 * now.
 */
export type CounterMarker = 'bucket' | 'slot' | 'now';

/** What a marker may state. */
type Told = Pick<Alternative, 'resetLow' | 'resetHigh' | 'window' | 'alone'>;

/**
 * A lower bound on the requests of a bucket from before the history and from the burst around its start. It is added to
 * the count before a decision at `from` or later.
 */
function shareLow({ earlier, straddling }: Span, from: number): number {
  return (earlier?.low ?? 0) + (straddling && straddling.settled < from ? straddling.after.low : 0);
}

/** The upper bound, less the requests that belong to the bucket before. */
function shareHigh({ earlier, straddling }: Span, from: number): number {
  return (earlier?.high ?? 0) - (straddling && straddling.settled < from ? straddling.size - straddling.after.high : 0);
}

/**
 * A sliding counter (M4): the weighted count of the bucket before is added to the count of this bucket. The weight may
 * be rounded down, up, to the nearest or not at all; the bounds allow all of these.
 *
 * @param latch after a refusal, refuses until the bucket ends, as limiters that cache refused keys do
 * @param marker what the marker states; that of a slot may be any time at which one becomes free
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
  const allKnown = isAllKnown(input);
  // A request whose answer is not known may have been refused.
  const refused = latch ? input.events.filter(({ outcome }) => outcome === 'refused' || outcome === 'unclear') : [];
  const latches: number[] = [];

  /** The lowest and highest count of the bucket before `index`: the same for all answers in `index`. */
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

  /** Since when a bucket may have been full. If refusals are remembered, the first of them found it full. */
  function fullFrom({ startLow }: Span, { from }: Spent): number {
    return latch ? (counts.refusedFrom[below(counts.refusedFrom, startLow)] ?? from) : from;
  }

  /** A lower bound on the count of a bucket at its end, if it was found full. */
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

  /** The weight at `time` of a request in the bucket before, which starts at `start`. */
  function weight(start: number, time: number): number {
    return Math.min(1, Math.max(0, (start + 2 * window - time) / window));
  }

  /**
   * The earliest time at which a spent budget can accept the next request, less the time of one slot: the share of the
   * bucket before must fall below what this bucket leaves. If there is none, the bucket must end.
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

  /** The most that a bucket and the share of the one before may have counted when a request came. */
  function mostAt(index: number, span: Span, event: Event, at?: number): number {
    const from = Math.max(event.from, span.startLow);
    const before = buckets[index - 1];
    const carried = before && totalBefore(index);
    const share = carried ? Math.ceil(carried.high * weight(before.startHigh, from - lag) - 1e-9) : 0;
    return shareHigh(span, from) + totals.most(index, event, at) - itself(event, counting) + share;
  }

  /**
   * When the first refusal of a bucket was sent that may have found it full by itself, and not by an earlier refusal.
   */
  function latchedFrom(index: number, span: Span): number {
    const known = latches[index];
    if (known !== undefined) return known;
    const first = refused.find(
      (event) => event.to >= span.startLow && event.from <= span.endHigh && mostAt(index, span, event) >= limit,
    );
    const from = first?.from ?? Number.POSITIVE_INFINITY;
    latches[index] = from;
    return from;
  }

  /** The most by which the share of the bucket before falls while a request is under way, and rounding. */
  function fallingBy({ from, to }: Event, carried: number): number {
    if (!allKnown && counting.refusedCounted) return Number.POSITIVE_INFINITY;
    // Whoever sent the requests before, no more than the limit were accepted.
    const most = allKnown ? carried : Math.max(carried, limit);
    return Math.ceil((most * (to - from + 2 * lag) * (1 + DRIFT)) / window) + 1;
  }

  /**
   * A lower bound on the estimate since the bucket was found full: plus what came since, less what the share of the
   * bucket before may have fallen by.
   */
  function stillHeld(span: Span, carried: Range | null, event: Event): number {
    const spent = spentBefore(event.from);
    if (!spent || spent.from < span.startHigh || spent.to >= span.endLow) return 0;
    const fallen = ((carried?.high ?? 0) * (event.to - fullFrom(span, spent) + 2 * lag) * (1 + DRIFT)) / window;
    return limit + atLeast(counts, spent.to, event.from) - Math.ceil(fallen);
  }

  /** What the marker of a request in a bucket may state. @param most how many were counted before it at most */
  function markersIn(index: number, span: Span, event: Event, most: number): readonly Told[] {
    const ofBucket = { resetLow: span.markerLow ?? span.endLow, resetHigh: span.endHigh, window: span.number ?? index };
    if (marker === 'bucket') return [ofBucket];
    const fromNow = (low: number, after: number): Told => {
      return { resetLow: low, resetHigh: event.to + after * (1 + DRIFT) + lag, window: null };
    };
    if (event.outcome === 'refused') return [fromNow(freeFrom(index, event), window)];
    if (marker === 'now') return [{ ...fromNow(event.from + window * (1 - DRIFT) - lag, window), alone: true }];
    // If nothing else is counted, all slots are free, or none becomes free before the bucket ends.
    const isUnused = event.outcome === 'accepted' && (most === 0 || event.remaining === limit - 1);
    return isUnused ? [ofBucket, fromNow(event.from, 0)] : [fromNow(event.from, window)];
  }

  return {
    alternatives(event: Event, at?: number): readonly Alternative[] {
      const found: Alternative[] = [];
      for (let index = firstSpan(buckets, event.from); index < buckets.length; index++) {
        const span = buckets[index];
        if (!span || span.startLow > event.to) break;
        const from = Math.max(event.from, span.startLow);
        const to = Math.min(event.to, span.endHigh);
        let low = shareLow(span, from) + totals.least(index, event, at);
        const high = mostAt(index, span, event, at);
        const before = buckets[index - 1];
        const carried = before && totalBefore(index);
        if (carried) {
          const share = weight(before.startLow, to + lag);
          // Wherever the boundary was, each request since the bucket before began weighs at least its share.
          const all = Math.floor(totals.least(index - 1, event, at) * share + 1e-9);
          low = Math.max(all, low + Math.floor(carried.low * share + 1e-9));
        }
        const held = stillHeld(span, carried ?? null, event);
        const number = span.number ?? index;
        const leaving = allKnown ? ((carried?.high ?? 0) * (1 + DRIFT)) / window : null;
        const latched = latch && (span.earlier !== undefined || latchedFrom(index, span) <= event.to);
        const regained = regainedBy(event, counts, () => fallingBy(event, carried?.high ?? 0));
        // One for each event of each model: property by property, as spreading takes two to three times as long.
        for (const told of markersIn(index, span, event, high)) {
          found.push({
            low: Math.max(low, held),
            high,
            countedIn: number,
            leaving,
            outlasts: true,
            ends: span.endLow,
            latched,
            regained,
            resetLow: told.resetLow,
            resetHigh: told.resetHigh,
            window: told.window,
            alone: told.alone === true,
          });
        }
      }
      return found;
    },
    overfull: () => firstOverfull(buckets, input) ?? firstStampede(input) ?? firstOverfullPair(buckets, input, weight),
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
