import { LIMITS } from '../../catalogue/limits.ts';
import type { Kind } from '../../trace/exchange.ts';
import type { BudgetState } from '../budget-state.ts';

/**
 * Requests that a budget seems to have left at `now` (µs of the run's clock): all of them once its window has ended.
 */
export function room({ remaining, end }: BudgetState, kind: Kind, now: number): number {
  return remaining === null || (end !== null && end < now) ? LIMITS[kind] : remaining;
}

/** The key whose budget seems to have most left at `now`; the first of equals, and undefined if there are no keys. */
export function roomiest(
  keys: readonly string[],
  kind: Kind,
  budget: (key: string, kind: Kind) => BudgetState,
  now: number,
): string | undefined {
  const rooms = keys.map((key) => room(budget(key, kind), kind, now));
  return keys[rooms.indexOf(Math.max(...rooms))];
}
