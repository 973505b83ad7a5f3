import type { Deviation } from '../deployment/operators.ts';
import { type Explained, followsNoRule, hold } from './explained.ts';
import { explainedShare, furthestShapes } from './explained-share.ts';
import { mayLead } from './lead.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from './proposal.ts';
import { proposeNodes } from './proposers/nodes.ts';
import { proposeResembling } from './proposers/resembling.ts';
import { PROPOSERS } from './proposers.ts';
import { sameDeviations } from './same-rule.ts';
import { inShare } from './share.ts';

/** So many single deviations are tried as one of a pair, and so many of one operator. */
const MOST_FIRST = 24;
const MOST_OF_OPERATOR = 2;

/** To find the node that each request came to, or which bad keys are charged, takes more work than a second of a pair is given: these come first, or not at all. */
const SECONDS = PROPOSERS.filter((proposer) => proposer !== proposeNodes && proposer !== proposeResembling);

/**
 * Events that may be looked at for one operator as the second of a pair. The last quarter of those that may be looked at for pairs goes to many firsts, with
 * few for each second: most pairs are refuted by few requests, and some are found by few.
 */
const SECOND_WORK = 150_000;
const LAST_SHARE = 0.25;
const LAST_SECOND_WORK = 15_000;

/**
 * Pairs of deviations that explain a world, where no single one does.
 *
 * @param firsts single deviations, none of which explains all: each is held with any other that explains the rest
 * @param found takes the pairs in, so that those are kept that were found before the work is spent
 */
export function searchPairs(firsts: readonly Proposal[], context: SearchContext, found: Explained[]): void {
  /** Whether what takes so many bits at the least may be among the cheapest: the same deviation for the other kind saves those of one. */
  const isCheap = (bits: number): boolean => found.every((each) => bits < each.bits + DEVIATION_BITS);
  const take = (one: Proposal, other: Proposal, own: SearchContext): void => {
    const pair = { deviations: [...one.deviations, ...other.deviations], bits: one.bits + other.bits };
    const explained = isCheap(pair.bits) && mayLead(pair, own) ? hold(other, own) : null;
    if (!explained) return;
    found.push({ ...explained, ...pair, bits: one.bits + explained.bits });
    // What is half of one pair is tried next: the first of a pair is read off the run as it was, and may take more bits than as a second.
    const isHalf = ({ deviations }: Proposal): number =>
      Number(deviations.every(({ operator }) => other.deviations.some((each) => each.operator === operator)));
    open.sort((before, after) => isHalf(after) - isHalf(before));
  };
  const open = [...firsts];
  const { mostBits = Number.POSITIVE_INFINITY } = context;
  const lastWork = LAST_SHARE * context.work.left;
  const lastly: { readonly one: Proposal; readonly other: Proposal }[] = [];
  while (open.length > 0) {
    const [one] = open.splice(0, 1);
    if (!one || !isCheap(one.bits + DEVIATION_BITS) || one.bits + DEVIATION_BITS >= mostBits) continue;
    const operators = new Set(one.deviations.map(({ operator }) => operator));
    const under = { ...one.world, shapes: furthestShapes(one.world, context.work) };
    for (const proposer of SECONDS) {
      const share = context.work.left > lastWork ? SECOND_WORK : LAST_SECOND_WORK;
      // The use by others that is known is beside the run as it was, and not beside a first deviation.
      const { spent } = inShare(share, { ...context, likely: under.shapes, background: null }, (own) => {
        for (const other of proposer(under, own)) {
          // What the same operator says twice, it says once with other parameters.
          if (other.deviations.some(({ operator }) => operators.has(operator))) continue;
          if (other.deviations.some(explainsAnything)) lastly.push({ one, other });
          else take(one, other, own);
        }
      });
      // What is not done with this share is left out.
      context.work.spend(spent);
    }
  }
  // A header that follows no rule explains whatever it says: it is half of a pair only where nothing else explains all.
  if (found.length > 0) return;
  for (const { one, other } of lastly) take(one, other, context);
}

/** Whether a deviation explains whatever is beside it: a header without a rule, or one that tells too late; or that nothing is counted for long. */
function explainsAnything(deviation: Deviation): boolean {
  const { operator, parameters } = deviation;
  const isReleased = operator === 'class-weight' && parameters.attribute === 'status' && parameters.weight === 0;
  const isLate =
    operator === 'remaining-header' && typeof parameters.change === 'object' && 'stale' in parameters.change;
  return isReleased || isLate || followsNoRule(deviation);
}

/** Those of some deviations that explain the other kind. */
export function besideOnly(
  partial: readonly Proposal[],
  beside: readonly (readonly Deviation[])[],
): readonly Proposal[] {
  return partial.filter(({ deviations }) => beside.some((other) => sameDeviations(other, deviations)));
}

/**
 * Single deviations to begin pairs with: those that explain the budgets of the other kind, and else those that explain most of these.
 *
 * @param beside what explains the other kind
 */
export function firstsOf(
  partial: readonly Proposal[],
  beside: readonly (readonly Deviation[])[],
  context: SearchContext,
): readonly Proposal[] {
  const able = partial.filter(({ deviations }) => !deviations.some(explainsAnything));
  const alike = besideOnly(able, beside);
  const better = able
    .filter((proposal) => !alike.includes(proposal))
    .map((proposal) => ({ proposal, share: explainedShare(proposal.world, context.work) }));
  // What explains most may take many words, so that what says it in few words is tried in turn with it.
  const byShare = [...better].sort((one, other) => other.share - one.share || one.proposal.bits - other.proposal.bits);
  const byBits = [...better].sort((one, other) => bitsWithRest(one) - bitsWithRest(other));
  const inTurn = new Set(byShare.flatMap((each, at) => [each, byBits[at] ?? each]));
  return fewOfEach([...alike, ...[...inTurn].map(({ proposal }) => proposal)]).slice(0, MOST_FIRST);
}

/** Bits to say a deviation, and those that it takes to say what it does not explain, about: `REST_BITS` for all of a run. */
function bitsWithRest({ proposal, share }: { readonly proposal: Proposal; readonly share: number }): number {
  return proposal.bits + REST_BITS * (1 - share);
}

const REST_BITS = 100;

/** The first ones of each operator. */
function fewOfEach(proposals: readonly Proposal[]): readonly Proposal[] {
  const taken = new Map<string, number>();
  return proposals.filter(({ deviations }) => {
    const name = deviations.map(({ operator }) => operator).join();
    taken.set(name, (taken.get(name) ?? 0) + 1);
    return (taken.get(name) ?? 0) <= MOST_OF_OPERATOR;
  });
}
