import type { Deviation } from '../deployment/operators.ts';
import type { Shape } from '../oracle/shapes.ts';
import type { Fit } from './fit.ts';
import { bitsOfShape, type Proposal, type Proposer, type SearchContext } from './proposal.ts';
import type { World } from './world.ts';

/** A deployment that explains a run, by how it deviates from what the specification states. */
export interface Explained {
  readonly deviations: readonly Deviation[];
  /** Its description length in bits. */
  readonly bits: number;
  readonly world: World;
  /** Null where what found the deviation has held it against all histories itself. */
  readonly fit: Fit | null;
  /** The mechanism under which it explains all; null where it does so whatever that is. */
  readonly shape: Shape | null;
  /** Who proposed it, where it is no pair. */
  readonly by?: Proposer;
}

/** What the deviations explain: all of the run, under some mechanism; null where they do not. */
export function hold({ deviations, bits, world, explained }: Proposal, { fitter }: SearchContext): Explained | null {
  const fit = explained ? null : fitter.simplest(world);
  if (!fit && !explained) return null;
  const shape = fit?.shape ?? explained?.shape ?? null;
  return { deviations, bits: bits + shapeBits({ shape }), world, fit, shape };
}

/** Bits to say the mechanism under which a deviation explains all; none where it does so under any. */
export function shapeBits({ shape }: Pick<Explained, 'shape'>): number {
  return shape ? bitsOfShape(shape) : 0;
}

/** A header that follows no rule explains anything that it says: it is no half of a pair, and better than no other explanation. */
export function followsNoRule({ operator, parameters }: Deviation): boolean {
  if (operator === 'marker-header') return parameters.change === 'no rule' || parameters.change === 'goes back';
  return operator === 'remaining-header' && parameters.change === 'no rule';
}
