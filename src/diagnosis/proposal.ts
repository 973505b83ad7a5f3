import type { Deviation } from '../deployment/operators.ts';
import type { History } from '../oracle/history.ts';
import { SHAPES, type Shape } from '../oracle/shapes.ts';
import type { Work } from '../oracle/work.ts';
import type { Exchange, Kind } from '../trace/exchange.ts';
import type { Fitter } from './fit.ts';
import type { BackgroundTraffic } from './others.ts';
import type { World } from './world.ts';

/** Deviations, one or several that are found together, and their description length in bits. */
export interface Description {
  readonly deviations: readonly Deviation[];
  readonly bits: number;
}

/** Deviations that may explain what contradicts a world, and the world as it is under them. */
export interface Proposal extends Description {
  readonly world: World;
  /** What found the deviation has held it against every history: under this mechanism, or whatever it is (null). */
  readonly explained?: { readonly shape: Shape | null };
}

/** What proposers may look at besides the world. */
export interface SearchContext {
  readonly kind: Kind;
  /** The histories of the other kind, as recorded. */
  readonly otherKind: readonly History[];
  /** Requests without an accepted key. */
  readonly anonymous: readonly Exchange[];
  readonly fitter: Fitter;
  readonly work: Work;
  /** Mechanisms that explain most budgets by themselves, those that explain most first. */
  readonly likely: readonly Shape[];
  /** The use of the keys by others that explains the budgets as well; null where none was found. */
  readonly background: BackgroundTraffic | null;
  /** Bits beyond which a deviation does not lead over use by others, so that it is not looked at whether it explains anything; left out: none. */
  readonly mostBits?: number;
}

/** Reads the parameters of one operator off a world that nothing explains. */
export type Proposer = (world: World, context: SearchContext) => Iterable<Proposal>;

/**
 * What any deviation costs to say, in bits: which of some 30 operators it is (5), for which kinds (1), and that there is one at all,
 * where one deployment in 64 has it (6).
 */
export const DEVIATION_BITS = 12;

/** Bits to say when something was, to within a second of two minutes, and which of eight keys it was that somebody else used. */
export const MOMENT_BITS = 7;
export const KEY_BITS = 3;

/** Bits to say that all that were over the limit were let through by chance: that there is no limit is plainer. */
export const NEVER_BITS = 3;

/** Bits to say a number of which nothing is known: twice as many as it has digits, whatever its sign (Elias 1975). */
export function bitsOfNumber(n: number): number {
  return 2 * Math.log2(1 + Math.abs(n));
}

/** Bits to say which mechanism it is: the simpler, the fewer, and one more where its clock counts whole seconds. */
export function bitsOfShape(shape: Shape): number {
  const simple = SHAPES.length / 2;
  const at = Math.max(0, SHAPES.indexOf(shape));
  return bitsOfNumber(at % simple) + (at < simple ? 0 : 1);
}

/** Bits to say which m of n. */
export function bitsToChoose(n: number, m: number): number {
  let bits = 0;
  for (let i = 0; i < Math.min(m, n - m); i++) bits += Math.log2((n - i) / (i + 1));
  return bits;
}
