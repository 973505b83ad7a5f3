import type { Deviation } from '../deployment/operators.ts';
import { type Explained, followsNoRule, hold } from './explained.ts';
import { explainedShare, furthestShapes } from './explained-share.ts';
import { mayLead } from './lead.ts';
import { DEVIATION_BITS, type Proposal, type Proposer, type SearchContext } from './proposal.ts';
import { proposeNodes } from './proposers/nodes.ts';
import { proposeResembling } from './proposers/resembling.ts';
import { PROPOSERS } from './proposers.ts';
import { sameDeviations } from './same-rule.ts';
import { inShare } from './share.ts';
import type { World } from './world.ts';

/** The most single deviations that are tried as the first of a pair, and the most of one operator. */
const MOST_FIRST = 24;
const MOST_OF_OPERATOR = 2;

/**
 * Assigning requests to nodes, or bad keys to budgets, takes more work than the second of a pair gets. These operators
 * can only be the first.
 */
const SECONDS = PROPOSERS.filter((proposer) => proposer !== proposeNodes && proposer !== proposeResembling);

/**
 * Bounds of work for one operator as the second of a pair, in events. Few requests refute most pairs, and most pairs that
 * explain a run are found quickly, so all first deviations are tried with little work before any is tried with more
 * (iterative deepening: Korf 1985).
 */
const SECOND_WORK = [8_000, 150_000];

/** The part of the work for pairs that goes to little work for each. */
const LITTLE = 0.6;

/**
 * Pairs of deviations that explain a world that no single one explains.
 *
 * @param firsts single deviations, none of which explains everything; each is combined with any other that explains the
 * rest
 * @param found receives the pairs, so those found before the work is spent are kept
 * @param only the proposers of seconds, if it is known which: they may share all of the work
 */
export function searchPairs(
  firsts: readonly Proposal[],
  context: SearchContext,
  found: Explained[],
  only: readonly Proposer[] | null = null,
): void {
  /**
   * Whether something with at least this many bits may be among the cheapest: the same deviation of the other kind
   * saves the bits of one.
   */
  const isCheap = (bits: number): boolean => found.every((each) => bits < each.bits + DEVIATION_BITS);
  const take = (one: Proposal, other: Proposal, by: Proposer, own: SearchContext): void => {
    const pair = { deviations: [...one.deviations, ...other.deviations], bits: one.bits + other.bits };
    const explained = isCheap(pair.bits) && mayLead(pair, own) ? hold(other, own) : null;
    if (!explained) return;
    found.push({ ...explained, ...pair, bits: one.bits + explained.bits, by });
    // One half of a found pair is tried next as a first: read from the unchanged run, it may take more bits than as a
    // second.
    const isHalf = ({ deviations }: Proposal): number =>
      Number(deviations.every(({ operator }) => other.deviations.some((each) => each.operator === operator)));
    open.sort((before, after) => isHalf(after) - isHalf(before));
  };
  const { mostBits = Number.POSITIVE_INFINITY } = context;
  let open: Proposal[] = [];
  const lastly = new Map<string, { readonly one: Proposal; readonly other: Proposal; readonly by: Proposer }>();
  const furthest = new Map<Proposal, World['shapes']>();
  const all = context.work.left;
  for (const [pass, most] of (only ? [all] : SECOND_WORK).entries()) {
    const kept = pass === 0 && !only ? (1 - LITTLE) * all : 0;
    open = [...firsts];
    while (open.length > 0 && context.work.left > kept) {
      const [one] = open.splice(0, 1);
      if (!one || !isCheap(one.bits + DEVIATION_BITS) || one.bits + DEVIATION_BITS >= mostBits) continue;
      const operators = new Set(one.deviations.map(({ operator }) => operator));
      const shapes = furthest.get(one) ?? furthestShapes(one.world, context.work);
      furthest.set(one, shapes);
      const under = { ...one.world, shapes };
      for (const proposer of only ?? SECONDS) {
        // The known use by others explains the unchanged run, not the run under a first deviation.
        const asked = { ...context, likely: under.shapes, background: null };
        const { spent } = inShare(Math.min(most, context.work.left), asked, (own) => {
          for (const other of proposer(under, own)) {
            // If the same operator occurs twice, one deviation with other parameters says the same.
            if (other.deviations.some(({ operator }) => operators.has(operator))) continue;
            if (!other.deviations.some(explainsAnything)) take(one, other, proposer, own);
            else lastly.set(JSON.stringify([one.deviations, other.deviations]), { one, other, by: proposer });
          }
        });
        // What this share of the work leaves open is left out.
        context.work.spend(spent);
      }
    }
  }
  // If the work was spent before all were tried, the search is cut short.
  if (open.length > 0) context.work.spend(1);
  // A header that follows no rule explains any value, so it is half of a pair only if nothing else explains everything.
  if (found.length > 0) return;
  for (const { one, other, by } of lastly.values()) take(one, other, by, context);
}

/**
 * Whether a deviation explains anything beside it: a header without a rule or with a delay, or requests that count only
 * briefly.
 */
function explainsAnything(deviation: Deviation): boolean {
  const { operator, parameters } = deviation;
  const isReleased = operator === 'class-weight' && parameters.attribute === 'status' && parameters.weight === 0;
  const isLate =
    operator === 'remaining-header' && typeof parameters.change === 'object' && 'stale' in parameters.change;
  return isReleased || isLate || followsNoRule(deviation);
}

/** The deviations among these that explain the other kind. */
export function besideOnly(
  partial: readonly Proposal[],
  beside: readonly (readonly Deviation[])[],
): readonly Proposal[] {
  return partial.filter(({ deviations }) => beside.some((other) => sameDeviations(other, deviations)));
}

/**
 * Single deviations with which pairs begin: those that explain the budgets of the other kind, then those that explain
 * most of these.
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
  // The deviation that explains most may be long, so the shortest ones are tried alternately.
  const byShare = [...better].sort((one, other) => other.share - one.share || one.proposal.bits - other.proposal.bits);
  const byBits = [...better].sort((one, other) => bitsWithRest(one) - bitsWithRest(other));
  const inTurn = new Set(byShare.flatMap((each, at) => [each, byBits[at] ?? each]));
  return fewOfEach([...alike, ...[...inTurn].map(({ proposal }) => proposal)]).slice(0, MOST_FIRST);
}

/** Bits to state a deviation, and an estimate of those for what it does not explain: `REST_BITS` for a whole run. */
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
