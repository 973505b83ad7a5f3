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
export function phaseByMarkers(marked: Marked): Range | null {
  return readPhase(marked).phase;
}

/** The same phase, and how many events there are before the first of which the marker is on no grid with those before it: all, where none is. */
export function readPhase({ events, unit }: Marked): { readonly phase: Range | null; readonly onGrid: number } {
  let first: number | null = null;
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  let count = 0;
  for (const { outcome, from, to, reset } of events) {
    count++;
    if (reset === null || (outcome !== 'accepted' && outcome !== 'refused')) continue;
    first ??= reset;
    const windows = Math.round((reset - first) / WINDOW);
    low = Math.max(low, from - (windows + 1) * WINDOW);
    high = Math.min(high, to - windows * WINDOW);
    const isOff = Math.abs(reset - first - windows * WINDOW) > (unit ?? 0);
    if (isOff || low > high) return { phase: null, onGrid: count - 1 };
  }
  return { phase: first === null ? null : { low, high }, onGrid: count };
}
