import { atLeast, atMost, below, upTo } from './census.ts';
import type { Event } from './history.ts';
import { type Alternative, firstOverfull, firstSpan, itself, type Model, type Scene, type Span } from './model.ts';

/**
 * A sliding counter (M4): of the requests of the bucket before, the share that its weight gives is added to those of the
 * bucket so far. The share may be rounded down, up, to the nearest or not at all: the bounds take in all of these.
 *
 * @param latch refuses on after a refusal until the bucket ends, as limiters with a cache of refused keys do
 */
export function slidingCounter(buckets: readonly Span[], scene: Scene, latch: boolean): Model {
  const { census, counting, limit, window } = scene;

  /** The share of the bucket before `index` in the estimate for a decision in `[from, to]`: least and greatest. */
  function carried(index: number, from: number, to: number): readonly [number, number] {
    const before = buckets[index - 1];
    if (!before) return [0, 0];
    const weight = (start: number, time: number) => Math.min(1, Math.max(0, (start + 2 * window - time) / window));
    const least = atLeast(census, before.sureFrom, before.endLow) * weight(before.startLow, to + scene.lag);
    const most =
      atMost(census, before.startLow, before.endHigh, before.endLow) * weight(before.startHigh, from - scene.lag);
    return [Math.floor(least + 1e-9), Math.ceil(most - 1e-9)];
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
        found.push({
          low: least + atLeast(census, span.sureFrom, from),
          high: most + atMost(census, span.startLow, to, from) - itself(event, counting),
          resetLow: span.endLow,
          resetHigh: span.endHigh,
          window: index,
          latched: latch && latched(span, event),
        });
      }
      return found;
    },
    overfull: () => (counting.refusedCounted ? null : firstOverfull(buckets, census, limit)),
  };
}
