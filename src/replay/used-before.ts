import { LIMITS } from '../catalogue/limits.ts';
import { singleInteger } from '../oracle/single-integer.ts';
import type { Exchange } from '../trace/exchange.ts';
import { remainingOf } from '../trace/remaining.ts';
import { budgetOf, tellsOfBudget } from './sequence.ts';

/**
 * The first key with a budget that may have been used before these requests: less is left of it than they account for,
 * or than was left in the run, or no answer says how much is left. Null if none was.
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
 * How much of a budget was used before these requests, according to the first answer that tells: by the limit that it
 * states, and if all requests sent by then were counted. Null if none tells.
 */
function usedBy(own: readonly Exchange[]): number | null {
  const told = firstTold(own);
  return told && (singleInteger(told.first.headers.limit) ?? LIMITS[told.first.kind]) - told.left - told.sent;
}

/**
 * The first key, if it had less left than a full budget leaves after the requests sent by then, and no more requests
 * were accepted.
 */
export function usedBefore(exchanges: readonly Exchange[], recorded: readonly Exchange[]): string | null {
  const now = firstTold(exchanges);
  if (!now) return null;
  const { first, left, sent } = now;
  const accepted = exchanges.filter((each) => budgetOf(each) === budgetOf(first) && each.status === 200).length;
  // The fault of the deployment may have left as little of full budgets.
  const whole = Math.min(LIMITS[first.kind] - sent, firstTold(recorded)?.left ?? Number.POSITIVE_INFINITY);
  return left < whole - SLACK && accepted <= left + SLACK ? first.key : null;
}

/**
 * The first answer that says how much is left of its budget, how much that is, and how many requests of it were sent by
 * then.
 */
function firstTold(exchanges: readonly Exchange[]): { first: Exchange; left: number; sent: number } | null {
  const counted = exchanges.filter((each) => tellsOfBudget(each) && each.answered !== null);
  const [first] = counted
    .filter((each) => remainingOf(each.headers) !== null)
    .toSorted((one, other) => (one.answered ?? 0) - (other.answered ?? 0));
  const left = first ? remainingOf(first.headers) : null;
  if (!first || left === null) return null;
  const own = counted.filter((each) => budgetOf(each) === budgetOf(first));
  return { first, left, sent: own.filter((each) => each.sent <= (first.answered ?? 0)).length };
}

/** The fault of the deployment may change what is left by this much. */
const SLACK = 5;
