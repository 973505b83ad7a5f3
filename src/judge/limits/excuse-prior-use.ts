import { reach } from '../../oracle/analyse.ts';
import type { History } from '../../oracle/history.ts';
import { priorUse } from '../../oracle/prior-use.ts';
import { type BudgetCase, isRefusal, spentAgain } from './budget-case.ts';
import type { Budget } from './budgets.ts';
import type { OtherLimit } from './other-limit.ts';

/**
 * A budget that nothing explains, and whose first answers show that its key was in use before the run: where another budget of its kind is wholly
 * explained, with the refusals that show its limit, the deployment is not at fault, and what was counted before is not known well enough.
 * One whose own first answers miss as many requests as those of every other key is no such example, unless it tells the
 * whole limit later: a deployment that lets one less through, or tells one less, looks the same.
 *
 * @param sound further budgets that are wholly explained
 */
export function excusePriorUse(cases: readonly BudgetCase[], sound: readonly Budget[]): readonly BudgetCase[] {
  const explained = cases.flatMap(({ budget, reach: reached, cause, disturbed }) =>
    reached === 3 && !cause && !disturbed && (!missesAlike(budget, cases) || tellsWhole(budget.history))
      ? [budget]
      : [],
  );
  const exemplary = [...explained, ...sound].filter(
    ({ key, exchanges }) => key !== 'restricted' && exchanges.some(isRefusal),
  );
  return cases.map((each) => {
    if (each.reach === 3 || each.cause || each.disturbed || !priorUse(each.budget.history)) return each;
    if (each.otherLimit && fromQuietStart(each.otherLimit) && spentAgain(each.budget.history)) return each;
    const { key, kind } = each.budget;
    const excused = exemplary.some((other) => other.kind === kind && other.key !== key);
    return excused ? { ...each, otherLimit: null, otherWindow: null, window: null, disturbed: true } : each;
  });
}

/** Whether another limit explains everything without any use of the key before the run. */
function fromQuietStart({ findings }: OtherLimit): boolean {
  return reach(findings) === 3 && findings.history.prior === undefined;
}

/** Whether the first answers miss requests, and those of each key as many. */
function missesAlike(budget: Budget, cases: readonly BudgetCase[]): boolean {
  if (!priorUse(budget.history)) return false;
  const own = cases.filter((each) => each.budget.kind === budget.kind && each.budget.key !== 'restricted');
  return new Set(own.map((each) => missing(each.budget.history))).size <= 1;
}

/** How long the answers count as the first ones, in µs. */
const FIRST_MOMENT = 2_000_000;

/** Requests that the first answers miss: by how much the most that they tell falls short of what a key at rest is told. */
function missing({ events, shown, limit }: History): number {
  const origin = events[0]?.from ?? 0;
  const first = events.filter(({ from, outcome }) => from <= origin + FIRST_MOMENT && outcome === 'accepted');
  const told = first.flatMap(({ remaining }) => (remaining === null ? [] : [remaining]));
  return told.length === 0 ? limit : shown - 1 - Math.max(...told);
}

/** Whether an answer tells the whole limit but for the request that it answers. */
function tellsWhole({ events, shown }: History): boolean {
  return events.some(({ outcome, remaining }) => outcome === 'accepted' && remaining === shown - 1);
}
