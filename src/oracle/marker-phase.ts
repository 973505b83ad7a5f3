import { type Event, type Range, WINDOW } from './history.ts';

/** What the markers are read from: the events of a history, or as they come by, and the unit of the markers in µs. */
interface Marked {
  readonly events: Iterable<Event>;
  readonly unit: number | null;
}

/**
 * Where the windows of a grid must start (µs of the run's clock) for each marker to be the end of the
 * window in which its request was decided. A first guess, to be searched before all other phases; null where the
 * markers are on no grid.
 */
export function phaseByMarkers({ events, unit }: Marked): Range | null {
  let first: number | null = null;
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  for (const { outcome, from, to, reset } of events) {
    if (reset === null || (outcome !== 'accepted' && outcome !== 'refused')) continue;
    first ??= reset;
    const windows = Math.round((reset - first) / WINDOW);
    if (Math.abs(reset - first - windows * WINDOW) > (unit ?? 0)) return null;
    low = Math.max(low, from - (windows + 1) * WINDOW);
    high = Math.min(high, to - windows * WINDOW);
  }
  return first === null || low > high ? null : { low, high };
}
