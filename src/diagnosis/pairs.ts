import type { Deviation } from '../deployment/operators.ts';
import { type Explained, followsNoRule, hold } from './explained.ts';
import { explainedShare, furthestShapes } from './explained-share.ts';
import type { Proposal, SearchContext } from './proposal.ts';
import { PROPOSERS } from './proposers.ts';
import { sameDeviations } from './same-rule.ts';
import { inShare } from './share.ts';

/** So many single deviations are tried as one of a pair, and so many of one operator. */
const MOST_FIRST = 8;
const MOST_OF_OPERATOR = 2;

/** So many mechanisms are tried for what is beside the first of a pair: those that explain most under it. */
const MOST_SHAPES = 6;

/** Events that may be looked at for one operator as the second of a pair. */
const SECOND_WORK = 250_000;

/**
 * Pairs of deviations that explain a world, where no single one does: the first is one that explains the budgets of the other kind, or else
 * as much of these as any does.
 *
 * @param partial single deviations, none of which explains all
 * @param beside what explains the other kind
 * @param found takes the pairs in, so that those are kept that were found before the work is spent
 */
export function searchPairs(
  partial: readonly Proposal[],
  beside: readonly (readonly Deviation[])[],
  context: SearchContext,
  found: Explained[],
): void {
  const lastly: (() => boolean)[] = [];
  for (const one of firstsOf(partial, beside, context)) {
    const operators = new Set(one.deviations.map(({ operator }) => operator));
    const under = { ...one.world, shapes: furthestShapes(one.world, context.work).slice(0, MOST_SHAPES) };
    for (const proposer of PROPOSERS) {
      // The use by others that is known is beside the run as it was, and not beside a first deviation.
      const { spent } = inShare(SECOND_WORK, { ...context, likely: under.shapes, background: null }, (own) => {
        for (const other of proposer(under, own)) {
          // What the same operator says twice, it says once with other parameters.
          if (other.deviations.some(({ operator }) => operators.has(operator))) continue;
          const take = (by: SearchContext): boolean => {
            const explained = hold(other, by);
            if (!explained) return false;
            const deviations = [...one.deviations, ...explained.deviations];
            found.push({ ...explained, deviations, bits: one.bits + explained.bits });
            return true;
          };
          if (other.deviations.some(followsNoRule)) lastly.push(() => take(context));
          else take(own);
        }
      });
      // What is not done with this share is left out.
      context.work.spend(spent);
    }
    if (found.some(({ deviations }) => deviations.length > 1)) return;
  }
  // A header that follows no rule explains whatever it says: only where nothing else is half of a pair.
  if (found.some(({ deviations }) => deviations.length > 1)) return;
  lastly.some((take) => take());
}

function firstsOf(
  partial: readonly Proposal[],
  beside: readonly (readonly Deviation[])[],
  context: SearchContext,
): readonly Proposal[] {
  const able = partial.filter(({ deviations }) => !deviations.some(followsNoRule));
  const isBeside = ({ deviations }: Proposal): boolean => beside.some((other) => sameDeviations(other, deviations));
  const better = able
    .filter((proposal) => !isBeside(proposal))
    .map((proposal) => ({ proposal, share: explainedShare(proposal.world, context.work) }))
    .sort((one, other) => other.share - one.share || one.proposal.bits - other.proposal.bits)
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
