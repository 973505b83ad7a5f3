import type { RequirementId } from '../../catalogue/requirement.ts';
import { type BudgetCase, examine, isLacking } from './budget-case.ts';
import type { Evidence } from './budgets.ts';
import { isMadeUp, stretchesOf } from './stretches.ts';

/** What a deployment does to every budget of a kind, if it does so to one. */
const OF_A_KIND = ['LIMIT-RW', 'LIMIT-KEY'] as const satisfies readonly RequirementId[];

/** Whether what is missing between two answers at rest is just what its suspects come to: no chance explains that. */
function isPlain({ budget, cause }: BudgetCase): boolean {
  const suspects = cause?.suspects ?? [];
  return stretchesOf(budget.history).some((each) => each.missing > 0 && isMadeUp(each, suspects));
}

/**
 * A deployment that takes the requests of one budget off another does so to every key. Where that explains one budget, and leaves most
 * others of its kind that are not explained either as they were, it explains the one by chance: it is examined again
 * without that cause.
 */
export function withoutLoneCauses(cases: readonly BudgetCase[], evidence: Evidence): readonly BudgetCase[] {
  return cases.map((each) => {
    const requirement = OF_A_KIND.find((id) => id === each.cause?.requirement);
    if (!requirement) return each;
    const own = cases.filter((other) => other.budget.kind === each.budget.kind && isLacking(other));
    const alike = own.filter(({ cause }) => cause?.requirement === requirement);
    return alike.length * 2 < own.length && !isPlain(each) ? examine(each.budget, evidence, null, requirement) : each;
  });
}
