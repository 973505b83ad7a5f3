import { groupsOf } from '../oracle/failed-groups.ts';
import type { MechanismName } from '../oracle/variant.ts';
import { unlessSpent, Work } from '../oracle/work.ts';
import type { Conforming } from './diagnose.ts';
import type { Fit } from './fit.ts';
import { Fitter } from './fitter.ts';
import { conformingWorld, type World } from './world.ts';

/** What the answers of one kind leave open about a conforming deployment that explains them. */
export interface LeftOpen {
  /** Other mechanisms that explain the same histories, one fit for each name, the simplest first. */
  readonly others: readonly Fit[];
  /** Classes of failed requests that may be counted or not: the answers are the same. */
  readonly groups: ReadonlySet<string>;
}

/** Bound of work for one kind, in events: a whole run takes a tenth of it. */
const MOST_WORK = 6_000_000;

/**
 * The search for a conforming deployment ends at the first one that explains a run. Before it is told as a fact, all
 * others have to be refuted. What the bound of work leaves untried counts as open.
 */
export function leftOpenBy({ fit, histories }: Conforming): LeftOpen {
  const world = conformingWorld(histories);
  const work = new Work(MOST_WORK);
  const known = histories.flatMap((history, at) =>
    fit.explanations[at] ? [[history, fit.explanations[at]] as const] : [],
  );
  const fitter = new Fitter(work, null, known);
  const groups = groupsOf(histories).filter((group) => unlessSpent(() => isEither(group, fit, world, fitter), true));
  return { others: otherFits(fit, world, work), groups: new Set(groups) };
}

/** It allows whatever grids and windows from the first request do, so it always explains what one of them explains. */
const MIXTURE: MechanismName = 'grid, anchored';

function isPartOfMixture(mechanism: MechanismName): boolean {
  return mechanism === 'grid' || mechanism === 'anchored';
}

function otherFits(fit: Fit, world: World, work: Work): readonly Fit[] {
  const fitter = new Fitter(work);
  const found: Fit[] = [];
  const { mechanism: best } = fit.shape;
  for (const [mechanism, shapes] of Map.groupBy(world.shapes, (each) => each.mechanism)) {
    if (mechanism === best || (mechanism === MIXTURE && isPartOfMixture(best))) continue;
    const [untried] = shapes;
    const open = untried ? { ...fit, shape: untried, explanations: [] } : null;
    const other = unlessSpent(() => fitter.fit({ ...world, shapes }), open);
    if (other) found.push(other);
  }
  return found;
}

/**
 * Whether the mechanism explains the histories, too, if this class is counted in the other way, whatever holds for the
 * others.
 */
function isEither(group: string, { shape, choice }: Fit, world: World, fitter: Fitter): boolean {
  if (choice.undecided.has(group)) return true;
  const isCounted = choice.failedCounted.has(group);
  const undecided = new Set(groupsOf(world.histories).filter((each) => each !== group));
  const failedCounted = new Set(isCounted ? [] : [group]);
  return fitter.under(world, shape, { failedCounted, undecided, loose: undecided.size > 0 }) !== null;
}
