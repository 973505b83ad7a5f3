import { ALL_LAYERS } from '../../oracle/check.ts';
import { FORGETFUL, MARKED } from '../../oracle/shapes.ts';
import { DEVIATION_BITS, type Proposal, type Scene } from '../proposal.ts';
import { changed, type World, withEvents } from '../world.ts';

/** Bits to say one value of a header that follows no rule: which of 128. */
const VALUE_BITS = 7;

/** Headers that say something else than what the limiter does: Remaining, Reset, or both. */
export function* proposeReporters(world: World, { kind }: Scene): Iterable<Proposal> {
  if (!world.layers.remaining || !world.layers.reset) return;
  const events = world.histories.flatMap((history) => history.events.filter(({ outcome }) => outcome === 'accepted'));
  const values = new Set(events.flatMap(({ remaining }) => (remaining === null ? [] : [remaining])));
  const markers = new Set(events.flatMap(({ reset }) => (reset === null ? [] : [reset])));
  const [value] = values;
  if (value !== undefined && events.length > 1) {
    const constant = values.size === 1;
    yield {
      deviations: [
        constant
          ? { operator: 'remaining-header', parameters: { kinds: [kind], change: { constant: value }, only: 'all' } }
          : { operator: 'remaining-header', parameters: { kinds: [kind], change: 'no rule', only: 'all' } },
      ],
      bits: DEVIATION_BITS + VALUE_BITS * (constant ? 1 : events.length),
      world: {
        ...changed(world, (history) => withEvents(history, (event) => ({ ...event, remaining: null }))),
        shapes: world.shapes.filter((shape) => MARKED.includes(shape)),
      },
    };
  }
  if (markers.size > 0) {
    yield {
      deviations: [{ operator: 'marker-header', parameters: { kinds: [kind], change: 'no rule', only: 'all' } }],
      // A marker that follows no rule is said once for each value that it takes.
      bits: DEVIATION_BITS + Math.min(events.length, VALUE_BITS * Math.log2(1 + markers.size)),
      world: {
        ...world,
        layers: { ...ALL_LAYERS, reset: false },
        shapes: world.shapes.filter((shape) => FORGETFUL.includes(shape)),
      },
    };
  }
}
