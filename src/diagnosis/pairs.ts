import type { Work } from '../oracle/work.ts';
import { type Explained, hold, partsOf } from './explained.ts';
import { explainedShare, furthestShapes, requestsOf } from './explained-share.ts';
import { explainsAnyValue } from './firsts.ts';
import { mayLead } from './lead.ts';
import { otherKindUnder } from './other-kind-under.ts';
import { DEVIATION_BITS, type Proposal, type Proposer, type SearchContext } from './proposal.ts';
import { proposeNodes } from './proposers/nodes.ts';
import { proposeRemainingRules } from './proposers/remaining-rule.ts';
import { proposeReporters } from './proposers/reporters.ts';
import { proposeResembling } from './proposers/resembling.ts';
import { proposeStatusWeights } from './proposers/weight.ts';
import { PROPOSERS } from './proposers.ts';
import { sameDeviations } from './same-rule.ts';
import { inShare } from './share.ts';
import { untold, type World } from './world.ts';

/**
 * Assigning requests to nodes, or bad keys to budgets, takes more work than the second of a pair gets. These operators
 * can only be the first, or beside what headers state.
 */
const SECONDS = PROPOSERS.filter((proposer) => proposer !== proposeNodes && proposer !== proposeResembling);

/** The proposers of deviations that explain anything beside them. */
const LASTLY = [proposeStatusWeights, proposeRemainingRules, proposeReporters];

/** One pass over first deviations. */
interface Pass {
  /** Which firsts begin a pair; left out: all of them. */
  readonly isFirst?: (first: Proposal) => boolean;
  /** The proposers of seconds. */
  readonly seconds: readonly Proposer[];
  /** Which of their proposals are meant; left out: all. */
  readonly isSecond?: (second: Proposal) => boolean;
  /** Bound of work for each of them, in events. */
  readonly most: number;
  /** The part of all work that is kept for later passes. */
  readonly kept: number;
  /** Whether the seconds are those that explain anything, or all others. */
  readonly isLast: boolean;
}

/** Bounds of work for one proposer of seconds, in events: an eighth of what it gets alone, and a sixth of that. */
const MORE_WORK = 150_000;
const MIDDLE_WORK = 25_000;
/** Nearly what the same operator gets as a single deviation. */
const NODES_WORK = 1_000_000;
/** With little work, each request is looked at so often: most pairs that explain a run need less. */
const LITTLE_LOOKS = 5;

/**
 * What explains the other kind is likely to be half of a pair, so it is tried beside all first deviations before
 * anything else is. Few requests refute most pairs, and most pairs that explain a run are found quickly, so all first
 * deviations are tried with little work before any is tried with more (iterative deepening: Korf 1985). Those that
 * headers state are tried before all others. A second that explains anything is half of a pair only if nothing else
 * explains everything, use by others neither.
 * The passes get 12, 12, 20, 14, 12, 10 and 20 % of the work, and what those before them leave.
 */
const passesOver = (requests: number): readonly Pass[] => [
  { isFirst: isStated, seconds: SECONDS, most: MORE_WORK, kept: 0.76, isLast: false },
  { isFirst: isNumberStated, seconds: [proposeNodes], most: NODES_WORK, kept: 0.56, isLast: false },
  { seconds: SECONDS, most: LITTLE_LOOKS * requests, kept: 0.42, isLast: false },
  { seconds: SECONDS, most: MIDDLE_WORK, kept: 0.3, isLast: false },
  { seconds: SECONDS, most: MORE_WORK, kept: 0.2, isLast: false },
  { seconds: LASTLY, most: MORE_WORK, kept: 0, isLast: true },
];

/** The first pass: what explains the other kind; none if nothing does, or if it would take too much work. */
function passesBeside(beside: readonly Explained[]): readonly Pass[] {
  const seconds = SECONDS.filter((proposer) => beside.some(({ by }) => by === proposer));
  const parts = beside.flatMap(partsOf);
  const isSecond = ({ deviations }: Proposal): boolean => parts.some((part) => sameDeviations(part, deviations));
  return seconds.length > 0 ? [{ seconds, isSecond, most: MORE_WORK, kept: 0.88, isLast: false }] : [];
}

function isStated(first: Proposal): boolean {
  return first.isStated === true;
}

/** Nodes that count apart also have windows of their own, so markers do not state another deviation beside them. */
function isNumberStated(first: Proposal): boolean {
  return isStated(first) && first.deviations.every(({ operator }) => operator !== 'marker-header');
}

/** A pair of so few bits is hardly beaten: two deviations take 24 bits, and their parameters some ten each. */
const SHORT_PAIR_BITS = 44;

/**
 * To change a history for a proposal takes as long as to look at about so many of its events. The worlds of some first
 * deviations have a history for each connection.
 */
const EVENTS_PER_HISTORY = 10;

/** The same if it is known which seconds to try: each may take all of the work. */
function passesWith(seconds: readonly Proposer[]): readonly Pass[] {
  return [false, true].map((isLast) => ({ seconds, most: Number.POSITIVE_INFINITY, kept: 0, isLast }));
}

/**
 * Pairs of deviations that explain a world that no single one explains.
 *
 * @param firsts single deviations, none of which explains everything; each is combined with any other that explains the
 * rest
 * @param found receives the pairs, so those found before the work is spent are kept
 * @param beside what explains the other kind
 * @param only the proposers of seconds, if it is known which
 */
export function searchPairs(
  firsts: readonly Proposal[],
  context: SearchContext,
  found: Explained[],
  beside: readonly Explained[],
  only: readonly Proposer[] | null = null,
): void {
  const { mostBits = Number.POSITIVE_INFINITY } = context;
  const all = context.work.left;
  const requests = firsts[0] ? requestsOf(firsts[0].world) : 0;
  const furthest = new Map<Proposal, World['shapes']>();
  /** For each first, the proposers of which everything was tried. */
  const tried = new Map(firsts.map((one) => [one, new Set<Proposer>()]));
  let open: Proposal[] = [];
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
  const leftFor = ({ kept }: Pass): number => context.work.left - kept * all;
  const pairWith = (one: Proposal, pass: Pass): void => {
    const { seconds, isSecond, most, isLast } = pass;
    const operators = new Set(one.deviations.map(({ operator }) => operator));
    const shapes = furthest.get(one) ?? furthestShapes(one.world, context.work);
    furthest.set(one, shapes);
    const under = { ...one.world, shapes };
    const otherKind = otherKindUnder(one, context.otherKind);
    for (const proposer of seconds) {
      if (!isLast && tried.get(one)?.has(proposer)) continue;
      // The known use by others explains the unchanged run, not the run under a first deviation.
      const asked = { ...context, otherKind, likely: shapes, background: null };
      const { spent, isDone } = inShare(Math.min(most, Math.max(0, leftFor(pass))), asked, (own) => {
        for (const other of proposer(under, own)) {
          if (isSecond?.(other) === false) continue;
          own.work.spend(EVENTS_PER_HISTORY * under.histories.length);
          // If the same operator occurs twice, one deviation with other parameters says the same.
          if (other.deviations.some(({ operator }) => operators.has(operator))) continue;
          if (explainsAnything(other) === isLast || isSurelyBeside(one, other)) take(one, other, proposer, own);
        }
      });
      if (isDone && !isLast && !isSecond) tried.get(one)?.add(proposer);
      // What this share of the work leaves open is left out.
      context.work.spend(spent);
    }
  };
  let isCut = false;
  for (const pass of only ? passesWith(only) : [...passesBeside(beside), ...passesOver(requests)]) {
    if (pass.isLast && (found.length > 0 || Number.isFinite(mostBits))) break;
    if (found.some(({ bits }) => bits <= SHORT_PAIR_BITS)) break;
    const meant = firsts.filter((first) => !first.isLast && (pass.isFirst?.(first) ?? true));
    open = pass.isLast ? byRestWithoutRemaining(firsts, context.work) : meant;
    while (open.length > 0 && leftFor(pass) > 0) {
      const [one] = open.splice(0, 1);
      if (one && isCheap(one.bits + DEVIATION_BITS) && one.bits + DEVIATION_BITS < mostBits) pairWith(one, pass);
    }
    isCut = (pass.isLast && isCut) || open.length > 0;
  }
  // If the work was spent before all were tried, the search is cut short.
  if (isCut) context.work.spend(context.work.left + 1);
}

/**
 * Single deviations in order of what they explain if Remaining is not read. Without markers, most deviations explain
 * all of the rest, so that order would show nothing.
 */
function byRestWithoutRemaining(firsts: readonly Proposal[], work: Work): Proposal[] {
  const unread = (world: World): World => untold(world, ['remaining'], () => true);
  return firsts
    .map((one) => ({ one, share: explainedShare(unread(one.world), work) }))
    .sort((before, after) => after.share - before.share)
    .map(({ one }) => one);
}

/** Whether a proposal explains anything beside it. */
function explainsAnything({ deviations, isLast = false }: Proposal): boolean {
  return isLast || deviations.some(explainsAnyValue);
}

/** Whether the first changes no count, so that the second explains as much beside it as alone. */
function isSurelyBeside({ deviations }: Proposal, other: Proposal): boolean {
  return deviations.every(({ operator }) => operator === 'marker-header') && !other.deviations.some(explainsAnyValue);
}
