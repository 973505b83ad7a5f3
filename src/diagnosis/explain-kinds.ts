import type { Deviation } from '../deployment/operators.ts';
import type { History } from '../oracle/history.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Examined, KindDiagnosis } from './diagnose.ts';
import type { EarlierParts } from './earlier-parts.ts';
import type { Explained } from './explained.ts';
import { mostThatLead } from './lead.ts';
import { bitsOfShape } from './proposal.ts';
import { sameDeviations } from './same-rule.ts';
import { alsoExplaining, SEARCH_WORK, searchSingles, withPairs, withPairsBeside } from './search.ts';

/** When the search for deviations may end before everything was tried. */
export interface Enough {
  /** Whether this explanation of the kind at an index is sufficient, together with what was found so far. */
  isEnough(diagnoses: readonly KindDiagnosis[], at: number, explained: Explained): boolean;
  /** The proposers that explained earlier parts of the run are tried first. */
  readonly earlier: EarlierParts;
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
  const searches = examined.map(({ diagnosis, likely }, at) => {
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
    const singles = searchSingles(asked, question, onWork, early);
    diagnoses[at] = { ...diagnosis, deviating: singles.explanations, cut: singles.cut };
    isEnough ||= singles.isEnough;
    return { world: asked, question, singles };
  });
  // Pairs are left to the end of the run: they take long, and seldom lead for good.
  if (enough) return diagnoses;
  for (const [at, search] of searches.entries()) {
    const diagnosis = diagnoses[at];
    if (!search || !diagnosis) continue;
    // If the other kind came first, its pairs have been found by now.
    const beside = diagnoses.filter((other) => other !== diagnosis).flatMap(({ deviating }) => deviating.map(partsOf));
    const { explanations, cut } = withPairs(search.question, search.singles, beside.flat(), onWork);
    diagnoses[at] = { ...diagnosis, deviating: explanations, cut };
  }
  for (const [at, search] of searches.entries()) {
    const diagnosis = diagnoses[at];
    if (!search || !diagnosis) continue;
    // Pairs that explain a later kind are also tried on the kinds before it.
    const later = diagnoses.slice(at + 1).flatMap(({ deviating }) => deviating.slice(0, 1));
    const pairs = later.filter(({ deviations }) => deviations.length > 1 && !isShared(deviations, diagnosis));
    if (pairs.length === 0) continue;
    const beside = pairs.flatMap(partsOf);
    diagnoses[at] = {
      ...diagnosis,
      deviating: withPairsBeside(search.question, search.singles, beside, diagnosis.deviating),
    };
  }
  return diagnoses.map((diagnosis) => withAlso(diagnosis, diagnoses, histories, anonymous));
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
  if (!conforming || bitsOfShape(conforming.fit.shape) === 0) return diagnosis;
  const others = diagnoses.flatMap(({ others, deviating }) => (others === 'do not explain it' ? [] : deviating));
  if (others.length === 0) return diagnosis;
  const otherKind = histories.filter((history) => history.kind !== kind);
  const question = { kind, otherKind, anonymous, likely: world.shapes, background: null };
  return { ...diagnosis, also: alsoExplaining(world, question, others) };
}

function isShared(deviations: readonly Deviation[], { deviating }: KindDiagnosis): boolean {
  return deviating.some((own) => sameDeviations(own.deviations, deviations));
}

/** The deviations of an explanation together, and each by itself. */
function partsOf({ deviations }: Explained): readonly (readonly Deviation[])[] {
  return [deviations, ...deviations.map((each) => [each])];
}
