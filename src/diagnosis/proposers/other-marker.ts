import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, type World, withEvents } from '../world.ts';
import { UNJUDGED_BITS } from './header-bits.ts';

/**
 * Bits to state that the marker is that of the other kind: more than any offset, because markers that are wrong for
 * both kinds alike are equal, too. If the windows of both kinds end together, or no answer states another end, no
 * marker is judged: as many as for markers without a rule.
 */
const OTHER_BITS = 7;

/** Markers that state the end of the other kind's window, as its own answers state it. All others are judged. */
export function* proposeOtherMarkers(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.reset) return;
  const theirs = (own: History): readonly History[] => otherKind.filter(({ key }) => key === own.key);
  if (world.histories.some((own) => statesAnotherEnd(own, theirs(own)))) return;
  const isJudged = world.histories.some((own) => hasOwnMarkers(own, theirs(own)));
  yield {
    deviations: [{ operator: 'marker-header', parameters: { kinds: [kind], change: 'other kind', only: 'all' } }],
    bits: DEVIATION_BITS + (isJudged ? OTHER_BITS : UNJUDGED_BITS),
    isLast: true,
    world: changed(world, (own) => {
      const markers = new Set(theirs(own).flatMap(markersOf));
      const isTheirs = (event: Event): boolean =>
        markers.has(event.reset ?? Number.NaN) || (isFresh(event, own) && !isOpen(markers, event, own));
      return withEvents(own, (event) => (isTheirs(event) ? { ...event, reset: null } : event));
    }),
  };
}

/** Whether the marker is a minute from then, as of a window that has not begun. */
function isFresh({ from, to, reset }: Event, { unit, offset }: History): boolean {
  if (reset === null) return false;
  const ahead = reset - WINDOW;
  return ahead >= from + offset.low - (unit ?? 0) && ahead <= to + offset.high + (unit ?? 0);
}

/** Whether one of these ends, as its answers state it, is of a window that is under way. */
function isOpen(markers: ReadonlySet<number>, { from }: Event, { unit, offset }: History): boolean {
  return [...markers].some((end) => end - offset.high - (unit ?? 0) > from && end - offset.low - WINDOW < from);
}

function markersOf({ events }: History): readonly number[] {
  return events.flatMap(({ reset }) => reset ?? []);
}

/**
 * Whether an answer states another end than the last of these answers before it, though that end is still to come, or
 * the next of them states it as well.
 */
function statesAnotherEnd({ events, unit, offset }: History, theirs: readonly History[]): boolean {
  const others = theirs.flatMap((each) => each.events).sort((one, other) => one.from - other.from);
  let next = 0;
  return events.some(({ from, to, reset }) => {
    while ((others[next]?.from ?? Number.POSITIVE_INFINITY) <= to) next += 1;
    const last = others[next - 1];
    if (reset === null || !last || last.to >= from || last.reset === null || last.reset === reset) return false;
    return others[next]?.reset === last.reset || last.reset - (unit ?? 0) > to + offset.high;
  });
}

/** Whether some answers of a budget state an end that no answer of these does, whole minutes apart or not. */
function hasOwnMarkers(own: History, theirs: readonly History[]): boolean {
  if (areOfOneGrid([own, ...theirs])) return false;
  const markers = new Set(theirs.flatMap(markersOf));
  return markersOf(own).some((marker) => !markers.has(marker));
}

/** Whether all markers are whole minutes apart. */
function areOfOneGrid(histories: readonly History[]): boolean {
  const [first = 0, ...others] = histories.flatMap(markersOf);
  const unit = histories[0]?.unit ?? 0;
  return others.every((marker) => {
    const apart = Math.abs(marker - first) % WINDOW;
    return Math.min(apart, WINDOW - apart) <= unit;
  });
}
