import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, type World, withEvents } from '../world.ts';

/**
 * Bits to state that the marker is that of the other kind: more than any offset, because markers that are wrong for both kinds alike are equal, too.
 */
const OTHER_BITS = 7;

/** Markers that state the end of the other kind's window, as its own answers state it. All others are judged. */
export function* proposeOtherMarkers(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.reset) return;
  yield {
    deviations: [{ operator: 'marker-header', parameters: { kinds: [kind], change: 'other kind', only: 'all' } }],
    bits: DEVIATION_BITS + OTHER_BITS,
    // Where the windows of both kinds end together, no marker is judged.
    isLast: true,
    world: changed(world, (history) => {
      const theirs = otherKind.filter(({ key }) => key === history.key).flatMap(({ events }) => events);
      const markers = new Set(theirs.map(({ reset }) => reset));
      return withEvents(history, (event) => (markers.has(event.reset) ? { ...event, reset: null } : event));
    }),
  };
}
