import type { Decision, Limiter } from './limiter.ts';
import { SECOND, WINDOW } from './limiter.ts';

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

interface Window {
  readonly phase: number;
  start: number;
  count: number;
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
  const windows = new Map<string, Window>();

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

  function standing({ start, count }: Window, limit: number): Decision {
    return {
      accepted: count < limit,
      limit,
      remaining: Math.max(0, limit - count),
      reset: start + window,
      stamp: start,
    };
  }

  return {
    decide(budget, limit, now) {
      const current = enter(budget, now);
      const accepted = current.count < limit;
      if (accepted || countRefused) current.count++;
      return { ...standing(current, limit), accepted };
    },
    peek: (budget, limit, now) => standing(enter(budget, now), limit),
    refund(budget, decision, now) {
      const current = enter(budget, now);
      if (current.start === decision.stamp && current.count > 0) current.count--;
    },
  };
}
