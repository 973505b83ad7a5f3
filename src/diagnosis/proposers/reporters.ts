import { ALL_LAYERS } from '../../oracle/check.ts';
import { type History, WINDOW } from '../../oracle/history.ts';
import { FORGETFUL, MARKED } from '../../oracle/shapes.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, type World, withEvents } from '../world.ts';

/** Bits to say one value of a header that follows no rule: which of 128. */
const VALUE_BITS = 7;

/** Bits for what is not held against a Remaining that follows no rule: every decision and marker is explained without it. */
const UNJUDGED_BITS = 20;

/** Headers that say something else than what the limiter does: Remaining, Reset, or both. */
export function* proposeReporters(world: World, { kind }: SearchContext): Iterable<Proposal> {
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
      bits: DEVIATION_BITS + (constant ? VALUE_BITS : UNJUDGED_BITS),
      world: {
        ...changed(world, (history) => withEvents(history, (event) => ({ ...event, remaining: null }))),
        shapes: world.shapes.filter((shape) => MARKED.includes(shape)),
      },
    };
  }
  if (markers.size > 0) {
    const ahead = alwaysAhead(world.histories);
    yield {
      deviations: [
        {
          operator: 'marker-header',
          parameters: { kinds: [kind], change: ahead === null ? 'no rule' : { ahead }, only: 'all' },
        },
      ],
      // A marker that follows no rule is said once for each value that it takes.
      bits: DEVIATION_BITS + VALUE_BITS * (ahead === null ? markers.size : 1),
      world: {
        ...world,
        layers: { ...ALL_LAYERS, reset: false },
        shapes: world.shapes.filter((shape) => FORGETFUL.includes(shape)),
      },
    };
  }
}

/** How long after its answer every marker lies (µs), the clocks' offset left out, where that is the same for all; else null. */
function alwaysAhead(histories: readonly History[]): number | null {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { events, unit } of histories) {
    for (const { outcome, reset, from, to } of events) {
      if (reset === null || (outcome !== 'accepted' && outcome !== 'refused')) continue;
      low = Math.max(low, reset - (unit ?? 0) - to);
      high = Math.min(high, reset + (unit ?? 0) - from);
      first = Math.min(first, reset);
      last = Math.max(last, reset);
    }
  }
  const middle = Math.round((low + high) / 2 / SECOND) * SECOND;
  return low <= high && last - first > WINDOW / 2 ? middle : null;
}

const SECOND = 1_000_000;
