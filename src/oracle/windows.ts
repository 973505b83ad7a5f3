import { below, upTo } from './census.ts';
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
import { tallyOf } from './tally.ts';

/** Fixed windows (M1, M2): the n-th request counted in a window is accepted iff n ≤ limit, and leaves limit − n. */
export function fixedWindows(spans: readonly Span[], scene: Scene): Model {
  const { census, counting, limit } = scene;
  const tally = tallyOf(spans, scene);
  const refunds = census.passingFrom.length > 0;
  /** Where refused requests count too, a window that was once full stays so, though a refund left fewer accepted. */
  const refusedBefore = (event: Event, span: Span): boolean =>
    event.outcome === 'refused' && upTo(census.refusedFrom, event.to) - below(census.refusedTo, span.startLow) > 1;
  return {
    alternatives(event: Event, at?: number): readonly Alternative[] {
      const found: Alternative[] = [];
      for (let index = firstSpan(spans, event.from); index < spans.length; index++) {
        const span = spans[index];
        if (!span || span.startLow > event.to) break;
        found.push({
          low: (span.earlier?.low ?? 0) + tally.least(index, event, at),
          high: (span.earlier?.high ?? 0) + tally.most(index, event, at) - itself(event, counting),
          resetLow: span.endLow,
          resetHigh: span.endHigh,
          window: span.number ?? index,
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
    spans.push(gridSpan(start, phaseHigh - phaseLow + lag, DRIFT * Math.abs(start - origin), window));
  }
  return spans;
}

/** The window of a grid that starts at `start` or up to `width` later, give or take `drift` (all in µs). */
export function gridSpan(start: number, width: number, drift: number, window: number): Span {
  const late = width + drift;
  return {
    startLow: start - drift,
    startHigh: start + late,
    sureFrom: start + late,
    endLow: start + window - drift,
    endHigh: start + window + late,
  };
}
