import { LIMITS, WINDOW_S } from '../catalogue/limits.ts';
import { type Exchange, isSuccess, type Kind } from '../trace/exchange.ts';
import { remainingOf } from '../trace/remaining.ts';
import { windowEnd } from './window-end.ts';

const SECOND = 1e6;

/**
 * What the drive knows about a budget during the run: only for planning requests, never for judging. Times are µs of
 * the run's clock.
 */
export interface BudgetState {
  /** Answers that were accepted since the window seems to have begun. */
  used: number;
  /** Last Remaining seen on a plain request; null where it was unreadable. */
  remaining: number | null;
  /** When its window seems to end. */
  end: number | null;
  /** When the first request of its window was sent. */
  opened: number | null;
}

/** Follows every budget of a run from its answers. */
export interface Budgets {
  of(key: string, kind: Kind): BudgetState;
  /** Whether every answer to plain requests with this key was 401; null: there is none yet. */
  isRefused(key: string): boolean | null;
  learn(exchange: Exchange): void;
}

/** @param epoch wall clock in µs since the Unix epoch at time 0 of the run's clock */
export function followBudgets(epoch: number): Budgets {
  const states = new Map<string, BudgetState>();
  const refused = new Map<string, boolean>();

  function of(key: string, kind: Kind): BudgetState {
    const id = `${key} ${kind}`;
    const state = states.get(id) ?? { used: 0, remaining: null, end: null, opened: null };
    states.set(id, state);
    return state;
  }

  return {
    of,
    isRefused: (key) => refused.get(key) ?? null,
    learn(exchange) {
      // A faulty request may be answered with nominal values, which say nothing about the budget.
      if (exchange.key === null || exchange.answered === null || exchange.fault !== 'none') return;
      refused.set(exchange.key, exchange.status === 401 && refused.get(exchange.key) !== false);
      const state = of(exchange.key, exchange.kind);
      const accepted = isAccepted(exchange);
      const end = windowEnd(exchange.headers, epoch, exchange.answered);
      // A sliding marker moves slowly, a fixed one jumps: half a window separates the two.
      const leapt =
        state.end !== null && (end ?? exchange.sent) - state.end > (end === null ? 1 : WINDOW_S / 2) * SECOND;
      if (accepted && leapt) Object.assign(state, { used: 0, opened: exchange.sent, end: null });
      if (accepted) {
        state.used += 1;
        state.opened ??= exchange.sent;
      }
      if (end !== null) state.end = end;
      else if (state.opened !== null) state.end ??= state.opened + WINDOW_S * SECOND;
      const remaining = remainingOf(exchange.headers);
      state.remaining = remaining === null ? null : Math.min(remaining, LIMITS[exchange.kind]);
    },
  };
}

/** Requests that seem to be left of a budget. */
export function leftOf({ remaining, used }: BudgetState, kind: Kind): number {
  return remaining ?? Math.max(0, LIMITS[kind] - used);
}

export function isAccepted(exchange: Exchange): boolean {
  return isSuccess(exchange.status);
}
