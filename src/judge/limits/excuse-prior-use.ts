import { reach } from '../../oracle/analyse.ts';
import type { History } from '../../oracle/history.ts';
import { FIRST_MOMENT, priorUse } from '../../oracle/prior-use.ts';
import type { Kind } from '../../trace/exchange.ts';
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
  const alike = new Set((['read', 'write'] as const).filter((kind) => missAlike(cases, kind)));
  const unlike = ({ kind, history }: Budget): boolean => !alike.has(kind) || !priorUse(history) || tellsWhole(history);
  const explained = cases.flatMap(({ budget, reach: reached, cause, disturbed }) =>
    reached === 3 && !cause && !disturbed && unlike(budget) ? [budget] : [],
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

/** Whether the first answers on each key miss as many requests. */
function missAlike(cases: readonly BudgetCase[], kind: Kind): boolean {
  const own = cases.filter(({ budget }) => budget.kind === kind && budget.key !== 'restricted');
  return new Set(own.map(({ budget }) => missing(budget.history))).size <= 1;
}

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
