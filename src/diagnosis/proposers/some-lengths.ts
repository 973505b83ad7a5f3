import { type History, WINDOW } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { isDecided, type World } from '../world.ts';
import { bitsOfLength, roundest } from './round.ts';
import { endless, ownEnd, partsOf, TOLERANCE } from './window-parts.ts';

/** Half of what the ends of windows and their beginnings are uncertain by, in µs: markers and dates in whole seconds. */
const UNCERTAIN = TOLERANCE / 2;

/**
 * Windows of two lengths, a minute and a shorter one, each as its markers tell: nodes that share their counters may be
 * configured with different lengths.
 */
export function* proposeSomeLengths(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  const split = world.histories.map((history) => partsOf(history, () => false, WINDOW, 'end'));
  if (!split.every(({ isTold }) => isTold)) return;
  const parts = split.flatMap((each) => each.parts);
  const lengths = parts.flatMap((part) => lengthOf(part) ?? []);
  const others = lengths.filter((length) => Math.abs(length - WINDOW) > TOLERANCE);
  if (others.length === 0 || others.length === lengths.length) return;
  const [low, high] = [Math.min(...others), Math.max(...others)];
  if (high - low > 2 * TOLERANCE) return;
  const middle = (low + high) / 2;
  const length = roundest({ low: middle - UNCERTAIN, high: middle + UNCERTAIN });
  yield {
    deviations: [
      { operator: 'window-length', parameters: { kinds: [kind], length, told: length, from: 'some windows' } },
    ],
    // One more for each window, to say which of both it has.
    bits: DEVIATION_BITS + bitsOfLength(length) + lengths.length,
    world: endless(world, parts),
  };
}

/** How long after its first request a window ends, as the marker tells, in µs; null: it decided none. */
function lengthOf(part: History): number | null {
  const first = part.events.find(isDecided);
  return first ? ownEnd(part, first) - (first.from + first.to) / 2 : null;
}
