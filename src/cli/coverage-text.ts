import { COVERAGE, type Demand, EXPERIMENTS } from '../catalogue/coverage.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { type CoverageCount, countCoverage, possibleLevels } from '../plan/coverage-count.ts';
import type { Plan } from '../plan/plan.ts';
import { plannedLevels } from '../plan/planned-levels.ts';
import type { PlanKeys } from '../plan/trials.ts';
import type { Profile } from '../profile/profile.ts';
import { plural, withCommas } from '../report/wording.ts';

/** How much of what each selected requirement demands a plan covers. */
export function plannedCoverage(
  plan: Plan,
  { profile, keys, selection }: { profile: Profile; keys: PlanKeys; selection: readonly RequirementId[] },
): readonly CoverageCount[] {
  return countCoverage(new Set(selection), possibleLevels(profile, keys), plannedLevels(plan));
}

/**
 * One line that says how much is tried; if `verbose`, also a line for each requirement of which something is left out.
 */
export function coverageSummary(all: readonly CoverageCount[], verbose: boolean): readonly string[] {
  const tried = all.reduce((sum, each) => sum + each.tried, 0);
  const possible = all.reduce((sum, each) => sum + each.possible, 0);
  const open = all.filter((each) => each.tried < each.possible);
  return [
    `The plan tries ${withCommas(tried)} of ${plural(possible, 'combination')}, such as of operation, key and header, that ${plural(all.length, 'requirement')} ${all.length === 1 ? 'asks' : 'ask'} for.${open.length > 0 && !verbose ? ' --verbose lists the others.' : ''}`,
    ...(verbose ? open : []).map((each) => `  ${each.requirement}: not tried: ${each.untried.join('; ')}${more(each)}`),
  ];
}

function more({ possible, tried, untried }: CoverageCount): string {
  const left = possible - tried - untried.length;
  return left > 0 ? `; and ${withCommas(left)} more` : '';
}

/** What is tried for a requirement, which experiments send it, and which module judges it. */
export function traceabilityText(id: RequirementId, count: CoverageCount | undefined): string {
  const { demands, experiments, judge } = COVERAGE[id];
  return [
    `${id}${count ? `  ${count.tried} of ${count.possible} tried` : ''}`,
    ...demands.map((each) => `  tries  ${demandText(each)}`),
    ...experiments.map((name) => `  by     ${name}, ${EXPERIMENTS[name]}`),
    `  judge  ${judge}`,
  ].join('\n');
}

/** `every state × way × group, any 2 of them, where fault is bad-key`. */
function demandText({ given, factors, strength }: Demand): string {
  const where = Object.entries(given).map(([factor, levels]) => `${factor} is ${levels.join(' or ')}`);
  const some = strength < factors.length ? `, any ${strength} of them` : '';
  return `every ${factors.join(' × ')}${some}${where.length > 0 ? `, where ${where.join(' and ')}` : ''}`;
}
