import { WINDOW_S } from '../catalogue/limits.ts';
import { windowEnd } from '../drive/window-end.ts';
import type { Exchange } from '../trace/exchange.ts';
import { budgetOf, tellsOfBudget } from './sequence.ts';

const WINDOW_US = WINDOW_S * 1e6;

/**
 * The end of the first window that the markers of these answers show, in µs of the run's clock; null if they show none.
 *
 * @param epoch wall clock in µs since the Unix epoch at time 0 of the run's clock
 */
export function firstEnd(answers: readonly Exchange[], epoch: number): number | null {
  const ends = answers.flatMap((each) => toldEnd(each, epoch) ?? []);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** The end of the window of the budget that a request drew on. */
export function toldEnd(exchange: Exchange, epoch: number): number | null {
  if (!tellsOfBudget(exchange)) return null;
  return windowEnd(exchange.headers, epoch, exchange.answered ?? exchange.sent);
}

/** Whether no window of these budgets ends between the requests. At such an end the markers leap. */
export function isOfOneWindow(exchanges: readonly Exchange[], epoch: number): boolean {
  const counted = exchanges.filter((each) => tellsOfBudget(each) && each.status !== null);
  const first = new Map<string, number>();
  for (const each of counted) {
    const end = toldEnd(each, epoch);
    if (end === null) continue;
    const known = first.get(budgetOf(each)) ?? end;
    if (Math.abs(end - known) > WINDOW_US / 2) return false;
    first.set(budgetOf(each), known);
  }
  const lasted = (counted.at(-1)?.sent ?? 0) - (counted[0]?.sent ?? 0);
  return lasted < WINDOW_US && counted.every((each) => first.has(budgetOf(each)));
}
