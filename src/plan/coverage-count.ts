import { COVERAGE, type Demand } from '../catalogue/coverage.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import type { Profile } from '../profile/profile.ts';
import { combinationsOf, type Levels } from './cover.ts';
import { levelsOf, type PlanKeys, possibleTrials } from './trials.ts';
import { levelsOfLoad, spenders } from './windows.ts';

/** How much of what a requirement demands was tried, out of all that profile and keys allow. */
export interface CoverageCount {
  readonly requirement: RequirementId;
  readonly possible: number;
  readonly tried: number;
  /** Some of the combinations that were not tried, in words; at most `SHOWN`. */
  readonly untried: readonly string[];
}

/** How many combinations are named: more would not help a reader. */
const SHOWN = 3;

/** Compares rows with the demands of the selected requirements: one count for each requirement with demands. */
export function countCoverage(
  selection: ReadonlySet<RequirementId>,
  possible: readonly Levels[],
  rows: readonly Levels[],
): readonly CoverageCount[] {
  // Many requirements have the same demands: each demand is compared with the rows once.
  const known = new Map<Demand, { readonly size: number; readonly untried: readonly string[] }>();
  const held = (demand: Demand) => {
    const before = known.get(demand);
    if (before) return before;
    const all = new Set(possible.flatMap((levels) => combinationsOf(levels, [demand])));
    const { size } = all;
    for (const levels of rows) for (const each of combinationsOf(levels, [demand])) all.delete(each);
    const result = { size, untried: [...all] };
    known.set(demand, result);
    return result;
  };
  return [...selection].flatMap((requirement): CoverageCount[] => {
    const { demands } = COVERAGE[requirement];
    if (demands.length === 0) return [];
    const untried = demands.flatMap((demand) => held(demand).untried);
    const count = demands.reduce((sum, demand) => sum + held(demand).size, 0);
    return [
      { requirement, possible: count, tried: count - untried.length, untried: untried.slice(0, SHOWN).map(inWords) },
    ];
  });
}

/** Every request, and every way to spend a budget, that profile and keys make possible. */
export function possibleLevels(profile: Profile, keys: PlanKeys): readonly Levels[] {
  const windows = (['read', 'write'] as const).flatMap((kind) =>
    spenders(profile, kind).flatMap((operation) =>
      (['x-api-key', 'bearer'] as const).flatMap((way) =>
        (['alone', 'shared'] as const).flatMap((company) =>
          keys.full.flatMap((key) => levelsOfLoad({ company, carriers: [{ operation, way, most: 1 }] }, key)),
        ),
      ),
    ),
  );
  return [...possibleTrials(profile, keys, profile.operations, false).map(levelsOf), ...windows];
}

/** `fault:bad-key · state=empty · way=bearer` as `state empty, way bearer`; what spends a budget as a budget spent so. */
function inWords(combination: string): string {
  const levels = combination.split(' · ').slice(1);
  const company = levels.find((each) => each.startsWith('company='));
  const others = levels.filter((each) => each !== company).map((each) => each.replace('=', ' '));
  const what = others.join(', ');
  return company === undefined ? what : `a budget spent by ${what} ${COMPANY_IN_WORDS[company]}`;
}

/** Who spends a budget, after the name of what takes part in it. */
const COMPANY_IN_WORDS: Readonly<Record<string, string>> = { 'company=alone': 'alone', 'company=shared': 'and others' };
