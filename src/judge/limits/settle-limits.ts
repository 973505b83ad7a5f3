import { analyse, reach } from '../../oracle/analyse.ts';
import { type History, WINDOW } from '../../oracle/history.ts';
import type { Kind } from '../../trace/exchange.ts';
import { type BudgetCase, isRefusal, withLimit } from './budget-case.ts';
import { findCommonLimit } from './other-limit.ts';

/**
 * One deployment has one limit for a kind: another limit that one budget shows is tried on those that are too short to
 * show it by themselves.
 */
export function shareLimits(cases: readonly BudgetCase[]): readonly BudgetCase[] {
  return cases.map((each) => {
    if (each.reach === 3 || each.otherLimit || each.cause || each.disturbed) return each;
    const known = cases.find(({ budget, otherLimit }) => otherLimit && budget.kind === each.budget.kind)?.otherLimit;
    if (!known) return each;
    const { limit, shown } = known.findings.history;
    const findings = analyse({ ...each.budget.history, limit, shown }, { depth: 'first' });
    return reach(findings) > each.reach ? withLimit(each, { limit, findings, since: null }) : each;
  });
}

/**
 * Use before the run and a limit that is too low look alike on one key. It is the limit where every spent budget of the kind tells
 * the same one, and a key at rest tells it again: what was counted before the run is gone by then. Which of the two it is, nothing
 * else decides.
 */
export function settleToldLimits(cases: readonly BudgetCase[]): readonly BudgetCase[] {
  return (['read', 'write'] as const).reduce(settleTold, cases);
}

function settleTold(cases: readonly BudgetCase[], kind: Kind): readonly BudgetCase[] {
  const own = cases.filter(({ budget }) => budget.kind === kind && budget.key !== 'restricted');
  const spent = own.filter(({ budget }) => budget.exchanges.some(isRefusal));
  const limits = new Set(spent.map((each) => (each.told ?? each.otherLimit)?.limit ?? null));
  const rested = own.flatMap(({ budget }) => toldAtRest(budget.history));
  const settled = limits.size === 1 && rested.every((limit) => limits.has(limit)) && spent.length + rested.length > 1;
  return cases.map((each) => {
    if (!each.told || !own.includes(each)) return each;
    const { quiet, ...limit } = each.told;
    if (settled) return withLimit({ ...each, findings: quiet, reach: reach(quiet) }, limit);
    return { ...each, window: null, disturbed: true };
  });
}

/** The limits that accepted requests tell which came when nothing had been sent for a window and more. */
function toldAtRest({ events }: History): readonly number[] {
  return events.flatMap(({ outcome, from, remaining }, index) => {
    const last = events[index - 1];
    if (!last || outcome !== 'accepted' || remaining === null || from <= last.to + WINDOW + REST) return [];
    return [remaining + 1];
  });
}

/** So much longer than a window is a rest at least, for clocks of whole seconds, in µs. */
const REST = 1_000_000;

/** Another limit is held against every budget of a kind only where none has more events than this. */
const MOST_SETTLED = 2_000;

/**
 * One deployment has one limit for a kind: where the specified one does not explain some budget, another that explains
 * it and every other budget of its kind is what the deployment has. Each of those by itself may be explained by a chance,
 * such as a window that ends at its first request.
 */
export function settleLimits(cases: readonly BudgetCase[]): readonly BudgetCase[] {
  return (['read', 'write'] as const).reduce(settleKind, cases);
}

function settleKind(cases: readonly BudgetCase[], kind: Kind): readonly BudgetCase[] {
  const own = cases.filter(({ budget }) => budget.kind === kind && budget.key !== 'restricted');
  const odd = own.filter((each) => each.reach < 3 && !each.cause && !each.disturbed);
  const spent = own.some(({ budget }) => budget.exchanges.some(isRefusal));
  const long = own.some(({ budget }) => budget.exchanges.length > MOST_SETTLED);
  if (!spent || long || odd.some(({ otherLimit }) => otherLimit)) return cases;
  if (odd.length === 0 && !own.some(({ budget }) => keepsTellingMore(budget.history))) return cases;
  const ordered = [...odd, ...own.filter((each) => !odd.includes(each))];
  const common = findCommonLimit(ordered.map(({ budget }) => budget.history));
  if (!common) return cases;
  const settled = new Map(ordered.map((each, index) => [each, common[index]]));
  return cases.map((each) => {
    const found = settled.get(each);
    return found ? withLimit({ ...each, cause: null }, found) : each;
  });
}

/**
 * Whether more than one accepted request was told of as much left as the limit, as if it had not been counted. By the limit that is only so where
 * a window ended between the request and its answer, which happens to one request, and not to the first of each window.
 */
function keepsTellingMore({ events, shown }: History): boolean {
  return events.filter(({ outcome, remaining }) => outcome === 'accepted' && remaining === shown).length > 1;
}
