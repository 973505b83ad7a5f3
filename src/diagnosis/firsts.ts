import { isLate } from '../deployment/deviations/remaining-header.ts';
import type { Deviation } from '../deployment/operators.ts';
import type { Work } from '../oracle/work.ts';
import { followsNoRule } from './explained.ts';
import { explainedShare } from './explained-share.ts';
import type { Proposal, SearchContext } from './proposal.ts';
import { sameDeviations } from './same-rule.ts';

/** The most single deviations that are tried as the first of a pair, and the most of one operator. */
const MOST_FIRST = 24;
const MOST_OF_OPERATOR = 2;

/**
 * Single deviations with which pairs begin: those that explain the budgets of the other kind, those that headers state,
 * short ones first, then those that explain most of these.
 *
 * @param beside what explains the other kind
 */
export function firstsOf(
  partial: readonly Proposal[],
  beside: readonly (readonly Deviation[])[],
  context: SearchContext,
): readonly Proposal[] {
  const able = partial.filter(({ deviations }) => !deviations.some(explainsAnyValue));
  const alike = besideOnly(able, beside);
  const stated = able.filter(({ isStated = false }) => isStated).sort((one, other) => one.bits - other.bits);
  const others = able.filter((proposal) => !alike.includes(proposal));
  const better = [...Map.groupBy(others, nameOf).values()].flatMap((each) => sharesOf(each, context.work));
  // The deviation that explains most may be long, so the shortest ones are tried alternately.
  const byShare = [...better].sort((one, other) => other.share - one.share || one.proposal.bits - other.proposal.bits);
  const byBits = [...better].sort((one, other) => bitsWithRest(one) - bitsWithRest(other));
  const inTurn = new Set(byShare.flatMap((each, at) => [each, byBits[at] ?? each]));
  return fewOfEach([...new Set([...alike, ...stated, ...[...inTurn].map(({ proposal }) => proposal)])]).slice(
    0,
    MOST_FIRST,
  );
}

interface Ranked {
  readonly proposal: Proposal;
  /** The explained share of the world. */
  readonly share: number;
}

/** Proposals of one operator with what they explain, which is not finished for those that are not among the first. */
function sharesOf(proposals: readonly Proposal[], work: Work): readonly Ranked[] {
  const found: Ranked[] = [];
  for (const proposal of [...proposals].sort((one, other) => one.bits - other.bits)) {
    // With a larger rest, it is not among the first by share, nor by bits.
    const byShare = lastOfFirst(found.map(({ share }) => 1 - share));
    const byBits = (lastOfFirst(found.map(bitsWithRest)) - proposal.bits) / REST_BITS;
    const mostRest = Math.min(1, Math.max(byShare, byBits));
    found.push({ proposal, share: explainedShare(proposal.world, work, mostRest) });
  }
  return found;
}

/** The last of the numbers of the first ones of an operator; infinite if there are fewer. */
function lastOfFirst(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[MOST_OF_OPERATOR - 1] ?? Number.POSITIVE_INFINITY;
}

/** Bits to state a deviation, and an estimate of those for what it does not explain: `REST_BITS` for a whole run. */
function bitsWithRest({ proposal, share }: Ranked): number {
  return proposal.bits + REST_BITS * (1 - share);
}

const REST_BITS = 100;

/** The first ones of each operator. */
function fewOfEach(proposals: readonly Proposal[]): readonly Proposal[] {
  const taken = new Map<string, number>();
  return proposals.filter((proposal) => {
    const name = nameOf(proposal);
    taken.set(name, (taken.get(name) ?? 0) + 1);
    return (taken.get(name) ?? 0) <= MOST_OF_OPERATOR;
  });
}

function nameOf({ deviations }: Proposal): string {
  return deviations.map(({ operator }) => operator).join();
}

/** The deviations among these that explain the other kind. */
export function besideOnly(
  partial: readonly Proposal[],
  beside: readonly (readonly Deviation[])[],
): readonly Proposal[] {
  return partial.filter(({ deviations }) => beside.some((other) => sameDeviations(other, deviations)));
}

/** A header without a rule or with a delay, or requests that count only briefly. */
export function explainsAnyValue(deviation: Deviation): boolean {
  const { operator, parameters } = deviation;
  const isReleased = operator === 'class-weight' && parameters.attribute === 'status' && parameters.weight === 0;
  return isReleased || (operator === 'remaining-header' && isLate(parameters)) || followsNoRule(deviation);
}
