import { atLeast, atMost, below, upTo } from './census.ts';
import type { Event } from './history.ts';
import {
  type Alternative,
  DRIFT,
  firstOverfull,
  firstSpan,
  itself,
  type Model,
  type Scene,
  type Span,
} from './model.ts';
import { partOf, withStraddling } from './straddling.ts';

/** What a sliding counter's marker is: the end of its bucket, or the time at which a slot comes free. */
export type CounterMarker = 'bucket' | 'slot';

/**
 * A sliding counter (M4): of the requests of the bucket before, the share that its weight gives is added to those of the
 * bucket so far. The share may be rounded down, up, to the nearest or not at all: the bounds take in all of these.
 *
 * @param latch refuses on after a refusal until the bucket ends, as limiters with a cache of refused keys do
 * @param marker where the marker points: to the end of the bucket; or to a slot that comes free, whichever that is
 */
export function slidingCounter(
  buckets: readonly Span[],
  scene: Scene,
  latch: boolean,
  marker: CounterMarker = 'bucket',
): Model {
  const { census, counting, limit, window } = scene;

  /** What a bucket holds of before the history, and of the bursts about its start: to be added to what is counted in it. */
  function shareOf({ earlier, straddling }: Span, from: number): readonly [number, number] {
    const burst = straddling && straddling.settled < from ? straddling : null;
    return [
      (earlier?.low ?? 0) + (burst?.after.low ?? 0),
      (earlier?.high ?? 0) - (burst ? burst.size - burst.after.high : 0),
    ];
  }

  /** The share of the bucket before `index` in the estimate for a decision in `[from, to]`: least and greatest. */
  function carried(index: number, from: number, to: number): readonly [number, number] {
    const before = buckets[index - 1];
    if (!before) return [0, 0];
    const weight = (start: number, time: number) => Math.min(1, Math.max(0, (start + 2 * window - time) / window));
    const [knownHere, unknownHere] = shareOf(before, Number.POSITIVE_INFINITY);
    const last = buckets[index]?.straddling;
    const known =
      knownHere + atLeast(census, before.sureFrom, before.endLow) + (last ? last.size - last.after.high : 0);
    const unknown =
      unknownHere + atMost(census, before.startLow, before.endHigh, before.endLow) - (last?.after.low ?? 0);
    const least = known * weight(before.startLow, to + scene.lag);
    const most = unknown * weight(before.startHigh, from - scene.lag);
    return [Math.floor(least + 1e-9), Math.ceil(most - 1e-9)];
  }

  /**
   * When a budget that refuses can have a request for the next at the earliest, less the time of one slot: the share of
   * the bucket before has to fall below what those of this bucket leave. With none to fall, the bucket has to end.
   */
  function freeFrom(index: number, event: Event): number {
    const span = buckets[index];
    const before = buckets[index - 1];
    if (!span || !before) return event.from;
    const previous = (before.earlier?.low ?? 0) + atLeast(census, before.sureFrom, before.endLow);
    const slot = window / Math.max(1, previous);
    const rest = limit - (span.earlier?.low ?? 0) - atLeast(census, span.sureFrom, event.from);
    const falls = before.startLow + 2 * window - (rest * window) / Math.max(1, previous) - scene.lag;
    return Math.max(event.from, Math.min(falls, span.endLow) - slot);
  }

  function latched(span: Span, event: Event): boolean {
    const others = upTo(census.refusedFrom, event.to) - below(census.refusedTo, span.startLow);
    return others > (event.outcome === 'refused' ? 1 : 0);
  }

  return {
    alternatives(event: Event): readonly Alternative[] {
      const found: Alternative[] = [];
      for (let index = firstSpan(buckets, event.from); index < buckets.length; index++) {
        const span = buckets[index];
        if (!span || span.startLow > event.to) break;
        const from = Math.max(event.from, span.startLow);
        const to = Math.min(event.to, span.endHigh);
        const [least, most] = carried(index, from, to);
        const [here, hereHigh] = shareOf(span, from);
        const own = marker === 'slot';
        found.push({
          low: least + here + atLeast(census, span.sureFrom, from),
          high: most + hereHigh + atMost(census, span.startLow, to, from) - itself(event, counting),
          resetLow: own ? (event.outcome === 'refused' ? freeFrom(index, event) : event.from) : span.endLow,
          resetHigh: own ? event.to + window * (1 + DRIFT) + scene.lag : span.endHigh,
          window: own ? null : index,
          ends: span.endLow,
          latched: latch && (span.earlier !== undefined || latched(span, event)),
        });
      }
      return found;
    },
    overfull: () => (counting.refusedCounted ? null : firstOverfull(buckets, census, limit)),
    finer() {
      const spans = withStraddling(buckets, scene);
      const sizes = spans.flatMap(({ straddling }) => (straddling ? [straddling.size] : []));
      if (sizes.length === 0) return null;
      return { sizes, part: (after) => slidingCounter(partOf(spans, after), scene, latch, marker) };
    },
  };
}
