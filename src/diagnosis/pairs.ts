import type { Deviation } from '../deployment/operators.ts';
import { firstContradiction } from '../oracle/first-contradiction.ts';
import { phaseByMarkers } from '../oracle/marker-phase.ts';
import { SHAPES, variantOf } from '../oracle/shapes.ts';
import { type Explained, followsNoRule, hold } from './explained.ts';
import { anyCounting, groupsOf } from './fit.ts';
import type { Proposal, SearchContext } from './proposal.ts';
import { PROPOSERS } from './proposers.ts';
import { sameDeviations } from './same-rule.ts';
import { inShare } from './share.ts';
import type { World } from './world.ts';

/** So many single deviations are tried as one of a pair, and so many of one operator. */
const MOST_FIRST = 8;
const MOST_OF_OPERATOR = 2;

/** A deviation that explains no more of a run than this, beyond what is explained without it, is not tried as one of a pair. */
const LEAST_GAIN = 0.02;

/** Events that may be looked at for one operator as the second of a pair. */
const SECOND_WORK = 250_000;

/**
 * Pairs of deviations that explain a world, where no single one does: the first is one that explains the budgets of the other kind, or else
 * more of these than none does.
 *
 * @param partial single deviations, none of which explains all
 * @param beside what explains the other kind
 * @param found takes the pairs in, so that those are kept that were found before the work is spent
 */
export function searchPairs(
  world: World,
  partial: readonly Proposal[],
  beside: readonly (readonly Deviation[])[],
  context: SearchContext,
  found: Explained[],
): void {
  for (const one of firstsOf(world, partial, beside, context)) {
    const operators = new Set(one.deviations.map(({ operator }) => operator));
    for (const proposer of PROPOSERS) {
      // The use by others that is known is beside the run as it was, and not beside a first deviation.
      const { spent } = inShare(SECOND_WORK, { ...context, background: null }, (own) => {
        for (const other of proposer(one.world, own)) {
          // What the same operator says twice, it says once with other parameters.
          if (other.deviations.some((each) => followsNoRule(each) || operators.has(each.operator))) continue;
          const explained = hold(other, own);
          if (!explained) continue;
          found.push({
            ...explained,
            deviations: [...one.deviations, ...explained.deviations],
            bits: one.bits + explained.bits,
          });
        }
      });
      // What is not done with this share is left out.
      context.work.spend(spent);
    }
    if (found.some(({ deviations }) => deviations.length > 1)) return;
  }
}

function firstsOf(
  world: World,
  partial: readonly Proposal[],
  beside: readonly (readonly Deviation[])[],
  context: SearchContext,
): readonly Proposal[] {
  const able = partial.filter(({ deviations }) => !deviations.some(followsNoRule));
  const isBeside = ({ deviations }: Proposal): boolean => beside.some((other) => sameDeviations(other, deviations));
  const reached = explainedShare(world, context);
  const better = able
    .filter((proposal) => !isBeside(proposal))
    .map((proposal) => ({ proposal, gain: explainedShare(proposal.world, context) - reached }))
    .filter(({ gain }) => gain > LEAST_GAIN)
    .sort((one, other) => other.gain - one.gain || one.proposal.bits - other.proposal.bits)
    .map(({ proposal }) => proposal);
  return fewOfEach([...able.filter(isBeside), ...better]).slice(0, MOST_FIRST);
}

/** The first ones of each operator. */
function fewOfEach(proposals: readonly Proposal[]): readonly Proposal[] {
  const taken = new Map<string, number>();
  return proposals.filter(({ deviations }) => {
    const name = deviations.map(({ operator }) => operator).join();
    taken.set(name, (taken.get(name) ?? 0) + 1);
    return (taken.get(name) ?? 0) <= MOST_OF_OPERATOR;
  });
}

/** Mechanisms that tell how far a run is explained: each by its plainest form. */
const PLAIN = SHAPES.filter(
  ({ lag, refusedCounted, reset, latch, marker }) =>
    lag === 0 && !refusedCounted && reset === 'oldest' && !latch && marker === undefined,
);

/** How much of a world's histories is explained, from the first request of each to the first that contradicts the mechanism that goes furthest. */
function explainedShare({ histories, layers, window }: World, { work }: SearchContext): number {
  const shares = histories.map((history) => {
    const choice = anyCounting(groupsOf([history]));
    const hint = phaseByMarkers(history);
    return PLAIN.reduce((most, shape) => {
      const found = firstContradiction(variantOf(shape, choice), history, hint, work, layers, window);
      const reached = found?.event ? history.events.indexOf(found.event) : 0;
      return Math.max(most, found ? reached / history.events.length : 1);
    }, 0);
  });
  return shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
