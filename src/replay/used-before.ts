import { LIMITS } from '../catalogue/limits.ts';
import { singleInteger } from '../oracle/history.ts';
import type { Exchange } from '../trace/exchange.ts';
import { remainingOf } from '../trace/remaining.ts';
import { budgetOf, tellsOfBudget } from './sequence.ts';

/**
 * The first key with a budget that may have been used before these requests: less is left of it than they account for, or than was left in
 * the run, or no answer says how much is left. Null if none was.
 *
 * @param recorded the answers of the run to the same requests
 */
export function perhapsUsed(exchanges: readonly Exchange[], recorded: readonly Exchange[]): string | null {
  const found = budgetsOf(exchanges).find((own) => usedBy(own) === null || isSeenUsed(own, recorded));
  return found?.[0]?.key ?? null;
}

/** Whether these answers already say that a budget was used before. */
export function saysUsed(answers: readonly Exchange[], recorded: readonly Exchange[]): boolean {
  return budgetsOf(answers).some((own) => isSeenUsed(own, recorded));
}

function isSeenUsed(own: readonly Exchange[], recorded: readonly Exchange[]): boolean {
  const [first] = own;
  const then = recorded.filter((each) => first && tellsOfBudget(each) && budgetOf(each) === budgetOf(first));
  // Where a fault of the deployment said that more is left than there is, use before looks like a mended one.
  return (usedBy(own) ?? 0) > Math.min(0, usedBy(then) ?? 0);
}

function budgetsOf(exchanges: readonly Exchange[]): readonly (readonly Exchange[])[] {
  const counted = exchanges.filter((each) => tellsOfBudget(each) && each.answered !== null);
  return [...Map.groupBy(counted, budgetOf).values()];
}

/**
 * How much of a budget was used before these requests, according to the first answer that tells: by the limit that it states, and if all
 * requests sent by then were counted. Null if none tells.
 */
function usedBy(own: readonly Exchange[]): number | null {
  const [first] = own
    .filter((each) => remainingOf(each.headers) !== null)
    .toSorted((one, other) => (one.answered ?? 0) - (other.answered ?? 0));
  const left = first ? remainingOf(first.headers) : null;
  if (!first || left === null) return null;
  const limit = singleInteger(first.headers.limit) ?? LIMITS[first.kind];
  return limit - left - own.filter((each) => each.sent <= (first.answered ?? 0)).length;
}

/** The first key, if it had less left than a full budget leaves after the requests sent by then, and no more requests were accepted. */
export function usedBefore(exchanges: readonly Exchange[], recorded: readonly Exchange[]): string | null {
  const now = firstTold(exchanges);
  const then = firstTold(recorded);
  if (!now) return null;
  const accepted = exchanges.filter((each) => budgetOf(each) === budgetOf(now.first) && each.status === 200).length;
  // The fault of the deployment may have left as little of full budgets.
  const whole = Math.min(now.whole, then?.left ?? now.whole);
  return now.left < whole - SLACK && accepted <= now.left + SLACK ? now.first.key : null;
}

/** How much is left according to the first answer on a budget, and how much is left of a full budget after the requests sent by then. */
function firstTold(exchanges: readonly Exchange[]): { first: Exchange; left: number; whole: number } | null {
  const counted = exchanges.filter((each) => tellsOfBudget(each) && each.answered !== null);
  const [first] = counted.toSorted((one, other) => (one.answered ?? 0) - (other.answered ?? 0));
  const left = first ? remainingOf(first.headers) : null;
  if (!first || left === null) return null;
  const own = counted.filter((each) => budgetOf(each) === budgetOf(first));
  const sent = own.filter((each) => each.sent <= (first.answered ?? 0)).length;
  return { first, left, whole: LIMITS[first.kind] - sent };
}

/** The fault of the deployment may change what is left by this much. */
const SLACK = 5;
