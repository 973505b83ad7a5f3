import { type Event, WINDOW } from '../../oracle/history.ts';

/** Requests with the same marker, and when the first of them were sent and answered. */
export interface Marked {
  readonly marker: number;
  readonly events: readonly Event[];
  readonly from: number;
  readonly to: number;
}

/** Markers that are less than this apart, in µs, are those of one window. */
const LEAST_APART = WINDOW / 2;

/** The windows of a budget, by their markers, in order of time. */
export function markedIn(events: readonly Event[]): readonly Marked[] {
  const told = events.filter(
    ({ outcome, reset }) => reset !== null && (outcome === 'accepted' || outcome === 'refused'),
  );
  const groups = new Map<number, Event[]>();
  let last: Event[] = [];
  for (const event of [...told].sort((one, other) => (one.reset ?? 0) - (other.reset ?? 0))) {
    if ((event.reset ?? 0) - (last[0]?.reset ?? Number.NEGATIVE_INFINITY) >= LEAST_APART) {
      last = [];
      groups.set(event.reset ?? 0, last);
    }
    last.push(event);
  }
  return [...groups].map(([marker, own]) => ({
    marker,
    events: own,
    from: own.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY),
    to: own.reduce((least, { to }) => Math.min(least, to), Number.POSITIVE_INFINITY),
  }));
}

/** Whether a window begins when the one before it ends: none without requests lies between. */
export function isNextTo(window: Marked, before: Marked): boolean {
  return window.marker - before.marker < 2 * WINDOW - LEAST_APART;
}
