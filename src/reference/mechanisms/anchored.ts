import type { Decision, Limiter } from './limiter.ts';
import { SECOND, WINDOW } from './limiter.ts';

interface Window {
  start: number;
  count: number;
}

/**
 * M2: fixed windows, each opened by the first counted request after the last one has ended.
 *
 * @param options.wholeSecond cuts a window's start down to the whole second, as limiters do that store seconds
 * @param options.countRefused whether refused requests are counted too, which only shows where requests are refunded
 */
export function anchoredLimiter(
  options: { readonly window?: number; readonly wholeSecond?: boolean; readonly countRefused?: boolean } = {},
): Limiter {
  const { window = WINDOW, wholeSecond = false, countRefused = true } = options;
  const windows = new Map<string, Window>();

  function open(budget: string, now: number): Window | null {
    const current = windows.get(budget);
    return current && now < current.start + window ? current : null;
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
      let current = open(budget, now);
      if (!current) {
        current = { start: wholeSecond ? Math.floor(now / SECOND) * SECOND : now, count: 0 };
        windows.set(budget, current);
      }
      const accepted = current.count < limit;
      if (accepted || countRefused) current.count++;
      return { ...standing(current, limit), accepted };
    },
    peek: (budget, limit, now) => standing(open(budget, now) ?? { start: now, count: 0 }, limit),
    refund(budget, decision, now) {
      const current = open(budget, now);
      if (current && current.start === decision.stamp && current.count > 0) current.count--;
    },
  };
}
