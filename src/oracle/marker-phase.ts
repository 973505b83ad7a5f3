import { type Event, type Range, WINDOW } from './history.ts';

/** The events whose markers are read, and the unit of the markers in µs. */
interface Marked {
  readonly events: Iterable<Event>;
  readonly unit: number | null;
}

/**
 * The possible starts of the windows of a grid (µs of the run's clock), if each marker is the end of the window in
 * which its request was decided. This phase is tried before all others; null if the markers fit no grid.
 *
 * @param window length of the windows, in µs
 */
export function phaseByMarkers(marked: Marked, window = WINDOW): Range | null {
  const { phase, off } = commonPhase(marked, window);
  return off === 0 ? phase : null;
}

/**
 * The same phase according to the markers that most events agree on, and how many events disagree.
 *
 * @param window length of the windows, in µs
 */
export function commonPhase(
  { events, unit }: Marked,
  window = WINDOW,
): { readonly phase: Range | null; readonly off: number } {
  const marked = [...events].flatMap(({ outcome, from, to, reset }) =>
    reset !== null && (outcome === 'accepted' || outcome === 'refused') ? [{ from, to, reset }] : [],
  );
  const first = commonest(
    marked.map(({ reset }) => reset),
    window,
    unit ?? 0,
  );
  if (first === null) return { phase: null, off: 0 };
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  let off = 0;
  for (const { from, to, reset } of marked) {
    const windows = Math.round((reset - first) / window);
    if (Math.abs(reset - first - windows * window) > (unit ?? 0)) {
      off += 1;
      continue;
    }
    low = Math.max(low, from - (windows + 1) * window);
    high = Math.min(high, to - windows * window);
  }
  // No marker is the end of a window in which its request was decided.
  if (low > high) return { phase: null, off: marked.length };
  return { phase: { low, high }, off };
}

/**
 * The marker from which most others are whole windows away, to within a unit; the first of several; null: there is
 * none.
 */
function commonest(markers: readonly number[], window: number, unit: number): number | null {
  const [first] = markers;
  if (first === undefined) return null;
  const width = Math.max(1, 2 * unit);
  const cells = Math.ceil(window / width);
  const votes = new Map<number, { count: number; readonly marker: number }>();
  for (const marker of markers) {
    // Relative to the first marker, so that those a unit before and after it fall into one cell.
    const ahead = (((marker - first + unit) % window) + window) % window;
    const cell = Math.floor(ahead / width) % cells;
    const known = votes.get(cell);
    if (known) known.count += 1;
    else votes.set(cell, { count: 1, marker });
  }
  let best = { count: 0, marker: first };
  for (const each of votes.values()) if (each.count > best.count) best = each;
  return best.marker;
}
