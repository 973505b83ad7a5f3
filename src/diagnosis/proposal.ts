import type { Deviation } from '../deployment/operators.ts';
import type { History } from '../oracle/history.ts';
import { SHAPES, type Shape } from '../oracle/shapes.ts';
import type { Work } from '../oracle/work.ts';
import type { Exchange, Kind } from '../trace/exchange.ts';
import type { Fitter } from './fitter.ts';
import type { BackgroundTraffic } from './others.ts';
import type { World } from './world.ts';

/** One deviation, or several that are found together, and their description length in bits. */
export interface Description {
  readonly deviations: readonly Deviation[];
  readonly bits: number;
}

/** Deviations that may explain what contradicts a world, and the world under them. */
export interface Proposal extends Description {
  readonly world: World;
  /**
   * Present if the proposer itself has compared the deviation with every history: under this mechanism, or under any
   * (null).
   */
  readonly explained?: { readonly shape: Shape | null };
  /** Present if it explains almost anything: it is half of a pair only if nothing else explains everything. */
  readonly isLast?: boolean;
  /** Present if headers state this deviation themselves, whatever else is wrong: it is likely to be half of a pair. */
  readonly isStated?: true;
}

/** What proposers may use besides the world. */
export interface SearchContext {
  readonly kind: Kind;
  /** The histories of the other kind, as recorded. */
  readonly otherKind: readonly History[];
  /** Requests without an accepted key. */
  readonly anonymous: readonly Exchange[];
  readonly fitter: Fitter;
  readonly work: Work;
  /** Mechanisms that explain most budgets by themselves, best first. */
  readonly likely: readonly Shape[];
  /** The use of the keys by others that explains the budgets as well; null if none was found. */
  readonly background: BackgroundTraffic | null;
  /** A deviation with more bits cannot lead over use by others, so it is not examined; absent: no bound. */
  readonly mostBits?: number;
  /**
   * Whether what takes so many bits at the least is dearer than anything that may be asked for; left out: nothing is.
   */
  readonly isDear?: (bits: number) => boolean;
}

/** Reads the parameters of one operator from a world that nothing explains. */
export type Proposer = (world: World, context: SearchContext) => Iterable<Proposal>;

/**
 * The bits of any deviation: its operator, of some 30 (5); its kinds (1); and that there is a deviation at all, as in
 * one deployment of 64 (6).
 */
export const DEVIATION_BITS = 12;

/** Bits to state a moment to within a second of two minutes, and which of eight keys somebody else used. */
export const MOMENT_BITS = 7;
export const KEY_BITS = 3;

/** Bits to state that all requests over the limit were let through by chance, which is less plain than no limit. */
export const NEVER_BITS = 3;

/** Bits to state a number of which nothing is known: twice the number of its digits, whatever its sign (Elias 1975). */
export function bitsOfNumber(n: number): number {
  return 2 * Math.log2(1 + Math.abs(n));
}

/** Bits to state the mechanism: simple ones take fewer, and a clock of whole seconds takes one more. */
export function bitsOfShape(shape: Shape): number {
  const simple = SHAPES.length / 2;
  const at = Math.max(0, SHAPES.indexOf(shape));
  return bitsOfNumber(at % simple) + (at < simple ? 0 : 1);
}

/** Bits to state which m of n. */
export function bitsToChoose(n: number, m: number): number {
  let bits = 0;
  for (let i = 0; i < Math.min(m, n - m); i++) bits += Math.log2((n - i) / (i + 1));
  return bits;
}
