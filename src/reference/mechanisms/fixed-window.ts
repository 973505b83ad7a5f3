import type { Decision, Limiter } from './limiter.ts';

/** One window of a budget: when it started, in µs of the server's clock, and how many requests it counts. */
export interface Window {
  start: number;
  count: number;
}

/**
 * Fixed windows, wherever they start: a request is accepted while fewer than the limit are counted in its window.
 *
 * @param options.open the window that a request at `now` is counted in, begun if need be
 * @param options.running the window that is under way at `now`, or null
 * @param options.window length in µs
 * @param options.countRefused whether refused requests are counted too, which only shows where requests are refunded
 */
export function fixedWindowLimiter(options: {
  readonly open: (budget: string, now: number) => Window;
  readonly running: (budget: string, now: number) => Window | null;
  readonly window: number;
  readonly countRefused: boolean;
}): Limiter {
  const { open, running, window, countRefused } = options;

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
      const current = open(budget, now);
      const accepted = current.count < limit;
      if (accepted || countRefused) current.count++;
      return { ...standing(current, limit), accepted };
    },
    peek: (budget, limit, now) => standing(running(budget, now) ?? { start: now, count: 0 }, limit),
    refund(budget, decision, now) {
      const current = running(budget, now);
      if (current && current.start === decision.stamp && current.count > 0) current.count--;
    },
  };
}
