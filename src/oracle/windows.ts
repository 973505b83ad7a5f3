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

/** Fixed windows (M1, M2): the n-th request counted in a window is accepted iff n ≤ limit, and leaves limit − n. */
export function fixedWindows(spans: readonly Span[], scene: Scene): Model {
  const { census, counting, limit } = scene;
  const refunds = census.passingFrom.length > 0;
  /** Where refused requests count too, a window that was once full stays so, though a refund left fewer accepted. */
  const refusedBefore = (event: Event, span: Span): boolean =>
    event.outcome === 'refused' && upTo(census.refusedFrom, event.to) - below(census.refusedTo, span.startLow) > 1;
  return {
    alternatives(event: Event): readonly Alternative[] {
      const found: Alternative[] = [];
      for (let index = firstSpan(spans, event.from); index < spans.length; index++) {
        const span = spans[index];
        if (!span || span.startLow > event.to) break;
        const from = Math.max(event.from, span.startLow);
        const to = Math.min(event.to, span.endHigh);
        found.push({
          low: (span.earlier?.low ?? 0) + atLeast(census, span.sureFrom, from),
          high: (span.earlier?.high ?? 0) + atMost(census, span.startLow, to, from) - itself(event, counting),
          resetLow: span.endLow,
          resetHigh: span.endHigh,
          window: index,
          ends: span.endLow,
          latched: refunds && (span.earlier !== undefined || refusedBefore(event, span)),
        });
      }
      return found;
    },
    overfull: () => firstOverfull(spans, census, limit),
  };
}

/** The windows of a grid whose phase lies in `[phaseLow, phaseHigh]` (µs after the first event), over the whole history. */
export function gridSpans(scene: Scene, phaseLow: number, phaseHigh: number): readonly Span[] {
  const { census, events, window, lag } = scene;
  const origin = events[0]?.from ?? 0;
  const spans: Span[] = [];
  for (let start = origin + phaseLow - 2 * window; start <= census.end; start += window) {
    const drift = DRIFT * Math.abs(start - origin);
    const width = phaseHigh - phaseLow + lag + drift;
    spans.push({
      startLow: start - drift,
      startHigh: start + width,
      sureFrom: start + width,
      endLow: start + window - drift,
      endHigh: start + window + width,
    });
  }
  return spans;
}
