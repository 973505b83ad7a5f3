import { type History, WINDOW } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { isDecided, type World } from '../world.ts';
import { bitsOfLength, roundest } from './round.ts';
import { endless, ownEnd, partsOf, TOLERANCE } from './window-parts.ts';

/**
 * Half of what the ends of windows and their beginnings are uncertain by, in µs: markers and dates in whole seconds.
 */
const UNCERTAIN = TOLERANCE / 2;

/**
 * Windows of two lengths, a minute and a shorter one, each as its markers tell: nodes that share their counters may be
 * configured with different lengths; or nodes with counters of their own, so that all windows of some keys have the
 * other one.
 */
export function* proposeSomeLengths(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  const split = world.histories.map((history) => partsOf(history, () => false, WINDOW, 'end'));
  if (!split.every(({ isTold }) => isTold)) return;
  const parts = split.flatMap((each) => each.parts);
  const windows = parts.flatMap((part) => lengthOf(part) ?? []);
  const others = windows.filter(isOther);
  if (others.length === 0 || others.length === windows.length) return;
  const lengths = others.map(({ length }) => length);
  const [low, high] = [Math.min(...lengths), Math.max(...lengths)];
  if (high - low > 2 * TOLERANCE) return;
  const middle = (low + high) / 2;
  const length = roundest({ low: middle - UNCERTAIN, high: middle + UNCERTAIN });
  const parameters = { kinds: [kind], length, told: length } as const;
  const keys = [...new Set(others.map(({ key }) => key))];
  const areTheirs = windows.every((each) => isOther(each) || !keys.includes(each.key));
  const bits = DEVIATION_BITS + bitsOfLength(length);
  yield {
    deviations: [
      areTheirs
        ? { operator: 'window-length', parameters: { ...parameters, from: 'always' }, keys }
        : { operator: 'window-length', parameters: { ...parameters, from: 'some windows' } },
    ],
    // One more for each key, to say whether it is one of these; or for each window, to say which of both lengths it
    // has.
    bits: bits + (areTheirs ? new Set(world.histories.map(({ key }) => key)).size : windows.length),
    world: endless(world, parts),
  };
}

/** A window of a key, in µs. */
interface Length {
  readonly key: string;
  readonly length: number;
}

/** Whether a window is no minute long. */
function isOther({ length }: Length): boolean {
  return Math.abs(length - WINDOW) > TOLERANCE;
}

/** How long after its first request a window ends, as the marker tells; null: it decided none. */
function lengthOf(part: History): Length | null {
  const first = part.events.find(isDecided);
  return first ? { key: part.key, length: ownEnd(part, first) - (first.from + first.to) / 2 } : null;
}
