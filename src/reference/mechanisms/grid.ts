import { fixedWindowLimiter, type Window } from './fixed-window.ts';
import { type Limiter, SECOND, WINDOW } from './limiter.ts';

/** Where a budget's grid of windows starts, in µs of the server's clock; asked once per budget, at its first request. */
export type Phase = (budget: string, now: number) => number;

/** Windows on whole minutes of the server's clock. */
export const clockPhase: Phase = () => 0;

/** Windows counted from each budget's first request ever. */
export const firstRequestPhase: Phase = (_budget, now) => now;

/** Windows counted from one moment, such as the start of the process, for all budgets. */
export function sharedPhase(start: number): Phase {
  return () => start;
}

/** Whole seconds that follow from the budget's name (FNV-1a), as limiters do that spread their resets over the minute. */
export const hashPhase: Phase = (budget) => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < budget.length; at++) hash = Math.imul(hash ^ budget.charCodeAt(at), 0x01000193);
  return ((hash >>> 0) % 60) * SECOND;
};

interface PhasedWindow extends Window {
  readonly phase: number;
}

/**
 * M1: fixed windows on a grid. The k-th window is [φ + kW, φ + (k+1)W); a request is accepted while the window's count
 * is at most the limit.
 *
 * @param options.phase φ of each budget
 * @param options.countRefused whether refused requests are counted too, which only shows where requests are refunded
 */
export function gridLimiter(options: {
  readonly phase: Phase;
  readonly window?: number;
  readonly countRefused?: boolean;
}): Limiter {
  const { phase, window = WINDOW, countRefused = true } = options;
  const windows = new Map<string, PhasedWindow>();

  function enter(budget: string, now: number): Window {
    let current = windows.get(budget);
    if (!current) {
      current = { phase: phase(budget, now), start: Number.NEGATIVE_INFINITY, count: 0 };
      windows.set(budget, current);
    }
    if (now >= current.start + window) {
      current.start = current.phase + Math.floor((now - current.phase) / window) * window;
      current.count = 0;
    }
    return current;
  }

  return fixedWindowLimiter({ open: enter, running: enter, window, countRefused });
}
