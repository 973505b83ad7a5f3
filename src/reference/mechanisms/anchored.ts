import { fixedWindowLimiter, type Window } from './fixed-window.ts';
import { type Limiter, SECOND, WINDOW } from './limiter.ts';

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

  function running(budget: string, now: number): Window | null {
    const current = windows.get(budget);
    return current && now < current.start + window ? current : null;
  }

  function open(budget: string, now: number): Window {
    const current = running(budget, now);
    if (current) return current;
    const opened = { start: wholeSecond ? Math.floor(now / SECOND) * SECOND : now, count: 0 };
    windows.set(budget, opened);
    return opened;
  }

  return fixedWindowLimiter({ open, running, window, countRefused });
}
