import type { Deviation } from '../deployment/operators.ts';
import { type EarlyEnd, suspectsFirst } from './earlier-parts.ts';
import { type Explained, followsNoRule, hold, partsOf } from './explained.ts';
import { besideOnly, firstsOf } from './firsts.ts';
import { mayLead } from './lead.ts';
import { searchPairs } from './pairs.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from './proposal.ts';
import { proposeUseBefore } from './proposers/use-before.ts';
import { PROPOSERS } from './proposers.ts';
import { isSameRule } from './same-rule.ts';
import { inShare } from './share.ts';
import { mostShared } from './shared-bits.ts';
import { forSomeKeys, sparesKeys } from './some-keys.ts';
import type { World } from './world.ts';

/** The results of a search, and whether it came to its end. */
export interface Found {
  readonly explanations: readonly Explained[];
  readonly cut: boolean;
}

/** How single deviations explain a world. */
export interface Singles extends Found {
  /** Deviations, and use before the run, that do not explain everything. */
  readonly partial: readonly Proposal[];
  /** Whether the search ended early, because its result was sufficient. */
  readonly isEnough: boolean;
}

/** The inputs of a search. */
export type Question = Omit<SearchContext, 'fitter' | 'work' | 'isDear'>;

/** Bounds of work for one operator, and for all pairs, in events: one core looks at about a million a second. */
const PROPOSER_WORK = 1_200_000;
export const PAIRS_WORK = 6_000_000;

/**
 * Bounds of work for one operator while the run lasts, in events, in a first and a second search. A long judgement
 * delays the next one, which may show more. What leads for good is usually found with little work.
 */
const FIRST_EARLY_WORK = 30_000;
const EARLY_WORK = 250_000;

/** The part of this if use by others explains everything, because two deviations seldom lead over it. */
const BESIDE_OTHERS = 0.25;

/** Bound of work to see whether what explains the other kind explains this one, too, in events: it is little. */
const BESIDE_WORK = 1_500_000;

/** Bound of work for a whole search, in events. */
export const SEARCH_WORK = PROPOSERS.length * PROPOSER_WORK + PAIRS_WORK;

/** A single deviation with more bits is hardly the cause: two deviations usually take fewer. */
const MOST_SINGLE_BITS = 40;

/**
 * The single deviations that explain a world, cheapest first (de Kleer and Williams 1987; Williams and Ragno 2007).
 *
 * @param onWork is told when events will not be needed any more, because a part of the search has ended: with those of
 * `withPairs`, `SEARCH_WORK` in all
 * @param early ends the search with the cheapest so far, if that is sufficient
 */
export function searchSingles(
  world: World,
  question: Question,
  onWork: (events: number) => void,
  early: EarlyEnd | null,
): Singles {
  const most = early ? EARLY_WORK : PROPOSER_WORK;
  const first = early && searchWith(FIRST_EARLY_WORK, world, question, () => {}, early);
  return first?.isEnough ? first : searchWith(most, world, question, onWork, early);
}

/** The same with so many events that may be looked at for one operator. */
function searchWith(
  most: number,
  world: World,
  question: Question,
  onWork: (events: number) => void,
  early: EarlyEnd | null,
): Singles {
  const found: Explained[] = [];
  const partial: Proposal[] = [];
  let cut = false;
  let isEnough = false;
  let least = Number.POSITIVE_INFINITY;
  // `cheapest` leaves these out, and they begin no pair: if one deviation takes few bits, no pair is searched for.
  const isDear = (bits: number): boolean => least <= MOST_SINGLE_BITS && bits > least + DEVIATION_BITS;
  for (const proposer of suspectsFirst(PROPOSERS, early)) {
    // Each has its own share of the work, so that none takes that of the others.
    const { isDone } = inShare(most, { ...question, isDear }, (own) => {
      for (const proposal of proposer(world, own)) {
        if (isDear(proposal.bits)) continue;
        const explained = mayLead(proposal, own) ? hold(proposal, own) : null;
        if (!explained) {
          partial.push(proposal);
          continue;
        }
        early?.suspects.add(proposer);
        const isCheapest = explained.bits <= least;
        least = Math.min(least, explained.bits);
        found.push({ ...explained, by: proposer });
        isEnough = isCheapest && early?.isEnough(explained) === true;
        if (isEnough) return;
      }
    });
    cut ||= !isDone;
    onWork(PROPOSER_WORK);
    if (isEnough) break;
  }
  return { explanations: cheapest(found), partial: [...proposeUseBefore(world), ...partial], cut, isEnough };
}

/**
 * The same with deviations that hold for some keys only, if no deviation that holds for all is short. One that spares
 * keys is short only as far as none of these is shorter.
 */
export function withThoseOfSomeKeys(world: World, question: Question, singles: Singles): Singles {
  const short = singles.explanations.filter(({ bits }) => bits <= MOST_SINGLE_BITS);
  if (!short.every(sparesKeys)) return singles;
  const dearest = short.reduce((least, { bits }) => Math.min(least, bits), MOST_SINGLE_BITS);
  const found = forSomeKeys(world, { ...question, most: PROPOSER_WORK, dearest });
  const better = short.length === 0 ? found : found.filter((each) => !sparesKeys(each));
  return better.length === 0 ? singles : { ...singles, explanations: cheapest([...singles.explanations, ...better]) };
}

/**
 * The cheapest sets of deviations that explain a world: single ones, and if no single one is short, pairs.
 *
 * @param beside what explains the budgets of the other kind
 * @param onWork as for `searchSingles`
 */
export function withPairs(
  question: Question,
  { explanations, partial, cut }: Singles,
  beside: readonly Explained[],
  onWork: (events: number) => void,
): Found {
  const { mostBits = Number.POSITIVE_INFINITY } = question;
  if (explanations.some(({ bits }) => bits <= MOST_SINGLE_BITS) || mostBits <= 2 * DEVIATION_BITS) {
    onWork(PAIRS_WORK);
    return { explanations, cut };
  }
  const found = [...explanations];
  const parts = beside.flatMap(partsOf);
  const work = PAIRS_WORK * (Number.isFinite(mostBits) ? BESIDE_OTHERS : 1);
  const { isDone } = inShare(work, question, (own) => searchPairs(firstsOf(partial, parts, own), own, found, beside));
  const likely = withMarkersToBlame(found, partial, question);
  onWork(PAIRS_WORK);
  return { explanations: cheapest(likely), cut: cut || !isDone };
}

/**
 * Windows that end at any time explain whatever markers without a rule do, and more. So where these explain a run
 * beside the same second, the windows end as they should.
 */
function withMarkersToBlame(
  found: readonly Explained[],
  partial: readonly Proposal[],
  question: Question,
): readonly Explained[] {
  const moved = found.filter(({ deviations: [first, second] }) => first && second && endsAnyTime(first));
  const seconds = new Set(moved.flatMap(({ by }) => by ?? []));
  if (seconds.size === 0) return found;
  const markers = partial.filter(({ deviations: [first] }) => first && areMarkersWithoutRule(first));
  const instead: Explained[] = [];
  inShare(BESIDE_WORK, question, (own) => searchPairs(markers, own, instead, [], [...seconds]));
  const isReplaced = (each: Explained): boolean => moved.includes(each) && instead.some(({ by }) => by === each.by);
  return [...found.filter((each) => !isReplaced(each)), ...instead];
}

function endsAnyTime({ operator, parameters }: Deviation): boolean {
  return operator === 'moved-end' && parameters.trigger === 'unknown';
}

function areMarkersWithoutRule(deviation: Deviation): boolean {
  return deviation.operator === 'marker-header' && followsNoRule(deviation);
}

/**
 * The cheapest sets of deviations, including pairs like those that explain the other kind.
 *
 * @param pairs those of the other kind
 * @param known the cheapest known ones
 */
export function withPairsBeside(
  question: Question,
  { partial }: Singles,
  pairs: readonly Explained[],
  known: readonly Explained[],
): readonly Explained[] {
  const found = [...known];
  const firsts = besideOnly(partial, pairs.flatMap(partsOf));
  const seconds = [...new Set(pairs.flatMap(({ by }) => by ?? []))];
  inShare(BESIDE_WORK, question, (own) => searchPairs(firsts, own, found, [], seconds));
  return cheapest(found);
}

/** The explanations of a world by the proposers that explained the other kind, by the same rule. */
export function alsoExplaining(world: World, question: Question, others: readonly Explained[]): readonly Explained[] {
  const found: Explained[] = [];
  for (const proposer of new Set(others.flatMap(({ by }) => by ?? []))) {
    inShare(PROPOSER_WORK, question, (own) => {
      for (const proposal of proposer(world, own)) {
        if (!others.some(({ deviations }) => isSameRule(deviations, proposal.deviations))) continue;
        const explained = hold(proposal, own);
        if (explained) found.push(explained);
      }
    });
  }
  return cheapest(found);
}

/** The cheapest of these explanations and of proposals, as far as they explain the world. */
export function alsoHolding(
  proposals: readonly Proposal[],
  question: Question,
  known: readonly Explained[],
): readonly Explained[] {
  const found = [...known];
  inShare(BESIDE_WORK, question, (own) => {
    for (const proposal of proposals) {
      const explained = mayLead(proposal, own) ? hold(proposal, own) : null;
      if (explained) found.push(explained);
    }
  });
  return found.length > known.length ? cheapest(found) : known;
}

/**
 * The cheapest ones, each deviation once, and those that may become cheapest: the same deviation of the other kind
 * saves this many bits.
 */
function cheapest(found: readonly Explained[]): readonly Explained[] {
  const sorted = [...found].sort((one, other) => one.bits - other.bits);
  const least = sorted[0]?.bits ?? 0;
  const names = sorted.map(({ deviations }) => JSON.stringify(deviations));
  return sorted.filter(
    ({ bits, deviations }, at) => bits <= least + mostShared(deviations) && names.indexOf(names[at] ?? '') === at,
  );
}
