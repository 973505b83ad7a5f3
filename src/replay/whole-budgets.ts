import { WINDOW_S } from '../catalogue/limits.ts';
import type { Exchange } from '../trace/exchange.ts';
import { remainingOf } from '../trace/remaining.ts';
import type { Trace } from '../trace/trace.ts';
import { toldEnd } from './marked-windows.ts';
import { budgetOf, tellsOfBudget } from './sequence.ts';

const WINDOW_US = WINDOW_S * 1e6;

/**
 * By then, a window that opened with the first request has ended, and the requests at its end (up to 1.6 s later) were
 * sent.
 */
export const FIRST_WINDOW_US = WINDOW_US + 2e6;

/** All requests on some budgets, from each moment at which the budgets were full, and for how long (µs). */
export function windowsOf(
  budgets: ReadonlySet<string>,
  { exchanges, header: { epoch } }: Trace,
  length = Number.POSITIVE_INFINITY,
): readonly (readonly Exchange[])[] {
  const own = exchanges.filter((each) => budgets.has(budgetOf(each)));
  return beginnings(own, epoch).map((start) => {
    const since = own.slice(start);
    const within = since.filter(({ sent }) => sent - (since[0]?.sent ?? 0) <= length);
    return within.length < since.length
      ? within.slice(0, quietMoments(since.slice(0, within.length + 1)).at(-2))
      : since;
  });
}

/**
 * When the budgets of these requests were full: at the beginning, after a whole window of silence, and when all windows
 * shown before have ended and the deployment says that as much is left as at the beginning, on each of them.
 */
export function beginnings(own: readonly Exchange[], epoch: number): readonly number[] {
  const found: number[] = [];
  const whole = firstLeft(own, 0);
  let answered = Number.NEGATIVE_INFINITY;
  let ended = Number.NEGATIVE_INFINITY;
  for (const [index, each] of own.entries()) {
    const silent = index === 0 || each.sent - answered > WINDOW_US;
    const anew = (): boolean => {
      const left = firstLeft(own, index);
      return left.size > 0 && [...left].every(([budget, remaining]) => whole.get(budget) === remaining);
    };
    if (silent || (each.sent > answered && each.sent > ended - TICK_US && anew())) found.push(index);
    answered = Math.max(answered, each.answered ?? each.sent);
    if (tellsOfBudget(each)) ended = Math.max(ended, toldEnd(each, epoch) ?? each.sent + WINDOW_US);
  }
  return found;
}

/** In µs. A marker in whole seconds may lie one second after the end of its window. */
const TICK_US = 1e6;

/**
 * What is left of each budget according to the first answers from `start` on; with several requests at once, the
 * largest value.
 */
function firstLeft(own: readonly Exchange[], start: number): ReadonlyMap<string, number> {
  const left = new Map<string, number>();
  const until = new Map<string, number>();
  const budgets = new Set(own.filter(tellsOfBudget).map(budgetOf));
  for (const each of own.slice(start)) {
    const budget = budgetOf(each);
    const end = until.get(budget) ?? Number.POSITIVE_INFINITY;
    if (each.sent > end) budgets.delete(budget);
    if (budgets.size === 0) break;
    if (!budgets.has(budget) || !tellsOfBudget(each) || each.status === null) continue;
    const remaining = remainingOf(each.headers) ?? -1;
    until.set(budget, Math.min(end, each.answered ?? each.sent));
    left.set(budget, Math.max(left.get(budget) ?? -1, remaining));
  }
  return left;
}

/** How many requests had been sent at each moment at which all of them were answered. */
export function quietMoments(exchanges: readonly Exchange[]): readonly number[] {
  let answered = Number.NEGATIVE_INFINITY;
  const found = exchanges.flatMap((each, index) => {
    const quiet = index > 0 && each.sent > answered;
    answered = Math.max(answered, each.answered ?? each.sent);
    return quiet ? [index] : [];
  });
  return [...found, exchanges.length];
}
