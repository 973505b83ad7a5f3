import type { Contradiction } from './check.ts';
import type { Event } from './history.ts';
import type { Alternative } from './model.ts';

/**
 * Whether a decision contradicts what a mechanism allows; null: it does not.
 *
 * @param certain whether the request is certainly counted; so below
 */
export function decides(
  event: Event,
  certain: boolean,
  allowed: Alternative,
  limit: number,
): Contradiction['kind'] | null {
  if (event.outcome === 'refused') return allowed.high >= limit || allowed.latched ? null : 'too early';
  return certain && allowed.low + 1 > limit ? 'too late' : null;
}

/** Whether as many may be left as an answer says. @param isIn whether the request itself is certainly in what it says */
export function remainingFits(event: Event, isIn: boolean, allowed: Alternative, shown: number): boolean {
  const { remaining, outcome } = event;
  if (remaining === null || outcome === 'refused') return true;
  const least = Math.max(0, shown - 1 - allowed.high);
  const own = isIn ? 1 : outcome === 'returned' ? -1 : 0;
  const most = Math.max(0, shown - allowed.low - own);
  const fits = remaining >= least && remaining <= most;
  return fits || (allowed.low === 0 && outcome === 'failed' && !isIn);
}

/** An uncounted answer where no window need be open carries a notional marker, which tells nothing. */
export function markerTells(event: Event, certain: boolean, allowed: Alternative): boolean {
  return certain || event.outcome === 'refused' || event.outcome === 'released' || allowed.low > 0;
}

/**
 * An answer whose values may have been read after the end of the window that its request was decided in belongs to no window for certain.
 *
 * @param certain whether the request is certainly counted
 */
export function straddles(
  event: Event,
  certain: boolean,
  alternatives: readonly Alternative[],
  limit: number,
): boolean {
  for (const each of alternatives)
    if (event.to >= each.ends && decides(event, certain, each, limit) === null) return true;
  return false;
}

/**
 * Whether at least as much is left as any window leaves in which the answer's value may have been read: however late that was, no more
 * had been counted by then than can have been by its end.
 */
export function leavesEnough({ remaining }: Event, alternatives: readonly Alternative[], shown: number): boolean {
  return remaining === null || alternatives.some(({ high }) => remaining >= Math.max(0, shown - 1 - high));
}

/** What is left of a necessary condition where others may have used the key: any number more may have been counted, from any time on. */
export function besideOthers(allowed: Alternative): Alternative {
  const resetLow = allowed.window === null ? Number.NEGATIVE_INFINITY : allowed.resetLow;
  return { ...allowed, high: Number.POSITIVE_INFINITY, resetLow };
}
