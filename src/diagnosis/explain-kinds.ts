import type { History } from '../oracle/history.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Examined, KindDiagnosis } from './diagnose.ts';
import type { EarlierParts } from './earlier-parts.ts';
import type { Explained } from './explained.ts';
import { SEARCH_WORK, searchSingles, withPairs } from './search.ts';

/** When the search for deviations may end before all has been tried. */
export interface Enough {
  /** Whether nothing more is asked for than this explanation of the kind at an index, beside what has been found so far. */
  isEnough(diagnoses: readonly KindDiagnosis[], at: number, explained: Explained): boolean;
  /** Who explained earlier parts of the run is asked first. */
  readonly earlier: EarlierParts;
}

/**
 * Looks for the deviations that explain the budgets of each kind.
 *
 * @param histories those of both kinds
 * @param onWork hears of the events that may no longer be asked for: `SEARCH_WORK` for each kind
 * @param enough null: all are asked for
 */
export function explainKinds(
  examined: readonly Examined[],
  histories: readonly History[],
  anonymous: readonly Exchange[],
  onWork: (events: number) => void,
  enough: Enough | null,
): readonly KindDiagnosis[] {
  const diagnoses = examined.map(({ diagnosis }) => diagnosis);
  let isEnough = false;
  const searches = examined.map(({ diagnosis, likely }, at) => {
    const { kind, world, background } = diagnosis;
    if (!likely || isEnough) {
      onWork(SEARCH_WORK);
      return null;
    }
    const otherKind = histories.filter((history) => history.kind !== kind);
    const question = { kind, otherKind, anonymous, likely, background };
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
  if (isEnough) return diagnoses;
  return examined.map(({ diagnosis }, at) => {
    const search = searches[at];
    if (!search) return diagnosis;
    const beside = searches
      .filter((other) => other !== search)
      .flatMap((other) => other?.singles.explanations.map(({ deviations }) => deviations) ?? []);
    const { explanations, cut } = withPairs(search.question, search.singles, beside, onWork);
    return { ...diagnosis, deviating: explanations, cut };
  });
}
