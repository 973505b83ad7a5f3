import type { Deviation } from '../deployment/operators.ts';
import type { History } from '../oracle/history.ts';
import type { Exchange, Kind } from '../trace/exchange.ts';
import type { Examined, KindDiagnosis } from './diagnose.ts';
import type { EarlierParts } from './earlier-parts.ts';
import { type Explained, followsNoRule, partsOf } from './explained.ts';
import { mostThatLead } from './lead.ts';
import { bitsOfShape, type Proposal } from './proposal.ts';
import { exemptLike } from './proposers/exempt.ts';
import { scopeLike } from './proposers/scope-like.ts';
import { sharedLike } from './proposers/sharing.ts';
import { sameDeviations } from './same-rule.ts';
import {
  alsoExplaining,
  alsoHolding,
  PAIRS_WORK,
  type Question,
  SEARCH_WORK,
  type Singles,
  searchSingles,
  withPairs,
  withPairsBeside,
  withThoseOfSomeKeys,
} from './search.ts';
import type { World } from './world.ts';

/** When the search for deviations may end before everything was tried. */
export interface Enough {
  /** Whether this explanation of the kind at an index is sufficient, together with what was found so far. */
  isEnough(diagnoses: readonly KindDiagnosis[], at: number, explained: Explained): boolean;
  /** The proposers that explained earlier parts of the run are tried first. */
  readonly earlier: EarlierParts;
}

/** The search for single deviations of a kind, and its inputs. */
interface Search {
  /** What is explained, under the likely mechanisms. */
  readonly asked: World;
  readonly question: Question;
  readonly singles: Singles;
}

/**
 * Searches for the deviations that explain the budgets of each kind.
 *
 * @param histories those of both kinds
 * @param onWork is told when events will not be needed any more: `SEARCH_WORK` for each kind in all
 * @param enough null: the search is complete
 */
export function explainKinds(
  examined: readonly Examined[],
  histories: readonly History[],
  anonymous: readonly Exchange[],
  onWork: (events: number) => void,
  enough: Enough | null,
): readonly KindDiagnosis[] {
  const diagnoses = examined.map(({ diagnosis }) => diagnosis);
  const mostBits = mostThatLead(diagnoses);
  let isEnough = false;
  const searches = examined.map(({ diagnosis, likely }, at): Search | null => {
    const { kind, world, background } = diagnosis;
    if (!likely || isEnough) {
      onWork(SEARCH_WORK);
      return null;
    }
    const otherKind = histories.filter((history) => history.kind !== kind);
    const question = { kind, otherKind, anonymous, likely, background, mostBits };
    const asked = { ...world, shapes: likely };
    const early = enough && {
      isEnough: (explained: Explained) => enough.isEnough(diagnoses, at, explained),
      suspects: enough.earlier.suspects(kind),
    };
    const ofAll = searchSingles(asked, question, onWork, early);
    const singles = early ? ofAll : orOfSomeKeys(asked, question, ofAll);
    diagnoses[at] = { ...diagnosis, isSearched: true, deviating: singles.explanations, cut: singles.cut };
    isEnough ||= singles.isEnough;
    return { asked, question, singles };
  });
  // Pairs are left to the end of the run: they take long, and seldom lead for good.
  if (enough) return diagnoses;
  for (const [at, search] of searches.entries()) {
    const diagnosis = diagnoses[at];
    if (!search || !diagnosis) continue;
    const beside = searches.flatMap((other) => (other && other !== search ? other.singles.explanations : []));
    const explanations = withThoseLike(search, diagnosis.deviating, beside);
    searches[at] = { ...search, singles: { ...search.singles, explanations } };
    diagnoses[at] = { ...diagnosis, deviating: explanations };
  }
  // Pairs are found soonest for the kind with the fewest requests. What explains it is tried first on the other. Where
  // one deviation explains both, and no pair explains the first any better, none is searched for on the other.
  const order = [...searches.keys()].sort((one, other) => requestsOf(diagnoses[one]) - requestsOf(diagnoses[other]));
  for (const [turn, at] of order.entries()) {
    const diagnosis = diagnoses[at];
    const search = searches[at];
    if (!search || !diagnosis) continue;
    const alike = withPairsOf(at, diagnoses, search);
    if (alike.length > 0) {
      onWork(PAIRS_WORK);
      diagnoses[at] = { ...diagnosis, deviating: alike };
      continue;
    }
    const others = diagnoses.filter((other) => other !== diagnosis);
    const before = order.slice(0, turn).flatMap((index) => diagnoses[index] ?? []);
    if (before.some((other) => areOneSingle(diagnosis, other))) {
      onWork(PAIRS_WORK);
      continue;
    }
    const beside = others.flatMap(({ deviating }) => deviating);
    const singles = withBudgetsLike(search, beside);
    const { explanations, cut } = withPairs(search.question, singles, beside, onWork);
    diagnoses[at] = { ...diagnosis, deviating: explanations, cut };
  }
  // What explains the kind that came last has been tried on no other yet.
  for (const at of order.slice(0, -1)) {
    const diagnosis = diagnoses[at];
    const search = searches[at];
    const alike = search && diagnosis ? withPairsOf(at, diagnoses, search) : [];
    if (diagnosis && alike.length > 0) diagnoses[at] = { ...diagnosis, deviating: alike };
  }
  return diagnoses.map((diagnosis) => withAlso(diagnosis, diagnoses, histories, anonymous));
}

/**
 * The same with deviations that hold for some keys only, if no other deviation is short. A header without a rule
 * explains any value, so it is left only if no rule of some keys explains the run.
 */
function orOfSomeKeys(asked: World, question: Question, ofAll: Singles): Singles {
  const explanations = ofAll.explanations.filter(({ deviations }) => !deviations.some(followsNoRule));
  const ruled = { ...ofAll, explanations };
  const found = withThoseOfSomeKeys(asked, question, ruled);
  return found === ruled ? ofAll : found;
}

/** The single deviations of a kind, and those that divide its budgets as what explains the other kind divides those. */
function withBudgetsLike({ asked, question: { kind }, singles }: Search, beside: readonly Explained[]): Singles {
  const parts = beside.flatMap(partsOf);
  return { ...singles, partial: [...budgetsLike(asked, kind, parts), ...singles.partial] };
}

/** The ways to divide the budgets of a kind that divide those of the other one, as these deviations say. */
function budgetsLike(world: World, kind: Kind, parts: readonly (readonly Deviation[])[]): readonly Proposal[] {
  return [...sharedLike(world, kind, parts), ...exemptLike(world, kind, parts), ...scopeLike(world, kind, parts)];
}

/**
 * The explanations of a kind, and those that divide its budgets as the other kind's are: of several ways in which its own
 * requests may be divided, only one was tried.
 */
function withThoseLike(
  { asked, question }: Search,
  known: readonly Explained[],
  beside: readonly Explained[],
): readonly Explained[] {
  const parts = beside.flatMap(partsOf);
  const like = budgetsLike(asked, question.kind, parts);
  const isNew = ({ deviations }: Proposal, at: number): boolean =>
    ![...known, ...like.slice(0, at)].some((each) => sameDeviations(each.deviations, deviations));
  return alsoHolding(like.filter(isNew), question, known);
}

/** Whether one deviation alone is the cheapest explanation of both kinds. */
function areOneSingle({ deviating: [own] }: KindDiagnosis, { deviating: [other] }: KindDiagnosis): boolean {
  if (!own || !other || own.deviations.length > 1 || other.deviations.length > 1) return false;
  return sameDeviations(own.deviations, other.deviations);
}

function requestsOf(diagnosis: KindDiagnosis | undefined): number {
  return diagnosis?.world.histories.reduce((sum, { events }) => sum + events.length, 0) ?? 0;
}

/**
 * The explanations of a kind with the pairs that explain the other kind as well, if there are any that were not tried
 * on it; else none.
 */
function withPairsOf(at: number, diagnoses: readonly KindDiagnosis[], search: Search): readonly Explained[] {
  const { deviating = [] } = diagnoses[at] ?? {};
  const others = diagnoses.filter((_, index) => index !== at).flatMap((other) => other.deviating.slice(0, 1));
  const isKnown = ({ deviations }: Explained): boolean =>
    deviating.some((own) => sameDeviations(own.deviations, deviations));
  const pairs = others.filter((each) => each.deviations.length > 1 && !isKnown(each));
  const found =
    pairs.length > 0 ? withPairsBeside(search.question, withBudgetsLike(search, pairs), pairs, deviating) : [];
  return found.some(({ deviations }) => deviations.length > 1) ? found : [];
}

/**
 * A conforming kind, with the deviations that explain both it and the other kind, if use by others may explain the
 * other one. It is harder to explain two kinds with one mechanism than one kind.
 */
function withAlso(
  diagnosis: KindDiagnosis,
  diagnoses: readonly KindDiagnosis[],
  histories: readonly History[],
  anonymous: readonly Exchange[],
): KindDiagnosis {
  const { kind, world, conforming } = diagnosis;
  if (!conforming || conforming.coincidence || bitsOfShape(conforming.fit.shape) === 0) return diagnosis;
  const others = diagnoses.flatMap(({ others, deviating }) => (others === 'do not explain it' ? [] : deviating));
  if (others.length === 0) return diagnosis;
  const otherKind = histories.filter((history) => history.kind !== kind);
  const question = { kind, otherKind, anonymous, likely: world.shapes, background: null };
  return { ...diagnosis, also: alsoExplaining(world, question, others) };
}
