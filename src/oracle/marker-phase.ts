import { type History, type Range, WINDOW } from './history.ts';

/** Half of the width to which a phase is told, in µs: as fine as the search of `explain.ts` goes. */
const NARROW = 4_000;

/**
 * Where the windows of a grid must start (µs of the run's clock, to within a few ms) for each marker to be the end of the
 * window in which its request was decided. A first guess, to be held against the history before any search; null where the
 * markers are on no grid.
 */
export function phaseByMarkers({ events, unit }: History): Range | null {
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
  if (first === null || low > high) return null;
  const middle = (low + high) / 2;
  return { low: Math.max(low, middle - NARROW), high: Math.min(high, middle + NARROW) };
}
