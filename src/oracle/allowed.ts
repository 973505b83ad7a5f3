import type { Contradiction } from './check.ts';
import { type Event, type History, WINDOW } from './history.ts';
import { type Alternative, ANY_WINDOW, DRIFT } from './model.ts';

/**
 * Whether a decision contradicts what a mechanism allows; null: it does not.
 *
 * @param certain whether the request is certainly counted, also in the functions below
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

/**
 * Whether an answer's Remaining is possible. @param isIn whether the Remaining certainly includes the request itself
 */
export function remainingFits(
  event: Event,
  isIn: boolean,
  allowed: Alternative,
  { shown, limit }: Pick<History, 'shown' | 'limit'>,
): boolean {
  const { remaining, outcome } = event;
  if (remaining === null) return true;
  // A refusal has nothing left, unless its headers were read when something had come back.
  if (outcome === 'refused') return remaining <= Math.max(0, shown - limit) + allowed.regained;
  const least = Math.max(0, shown - 1 - allowed.high);
  const own = isIn ? 1 : outcome === 'returned' ? -1 : 0;
  const most = Math.max(0, shown - allowed.low - own);
  const fits = remaining >= least && remaining <= most;
  return fits || (allowed.low === 0 && outcome === 'failed' && !isIn);
}

/** Whether only requests are missing: if more had been counted before it, the request would have got this answer. */
export function lacksRequests(
  { outcome, remaining }: Event,
  { high, latched }: Alternative,
  limit: number,
  shown: number,
): boolean {
  if (outcome === 'refused') return high < limit && !latched;
  return remaining !== null && remaining < shown - 1 - high;
}

/** If no window need be open, the marker of an uncounted answer is a placeholder and shows nothing. */
export function markerTells(event: Event, certain: boolean, allowed: Alternative): boolean {
  return certain || event.outcome === 'refused' || event.outcome === 'released' || allowed.low > 0;
}

/**
 * Whether the values of an answer may have been read after the end of the window in which its request was decided. Then
 * they cannot be assigned to one window.
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
 * Whether as much is left as in some window in which Remaining may have been read, however late that was; or all, as
 * between two windows, if nothing of the first outlasts its end.
 */
export function isLeftInSome({ remaining }: Event, alternatives: readonly Alternative[], shown: number): boolean {
  if (remaining === null) return true;
  if (remaining >= shown && !alternatives.every(({ outlasts }) => outlasts)) return true;
  return alternatives.some(
    ({ low, high }) => remaining >= Math.max(0, shown - 1 - high) && remaining <= Math.max(0, shown - low),
  );
}

/**
 * The part of the necessary conditions that still holds if others may have used the key: they may have added any number
 * of requests at any time. Whoever began the window of a request, it ends after the request.
 *
 * @param lag of the clock of a decision, in µs, also below
 */
export function besideOthers(
  allowing: readonly Alternative[],
  event: Event,
  certain: boolean,
  lag: number,
  shown: number,
): readonly Alternative[] {
  const isUnused = event.outcome === 'accepted' && event.remaining === shown - 1;
  if (allowing.length === 0) return certain || event.outcome === 'refused' ? [windowOfOthers(event, lag)] : [];
  return allowing.map((each) => ({
    ...each,
    high: Number.POSITIVE_INFINITY,
    resetLow: each.window === null && !each.alone && !isUnused ? endsAfter(event, lag) : each.resetLow,
  }));
}

/** What a window that others began allows. */
function windowOfOthers(event: Event, lag: number): Alternative {
  const resetLow = endsAfter(event, lag);
  const resetHigh = event.to + (event.from - resetLow) + WINDOW;
  // The next one may have begun when the answer was written.
  return { ...ANY_WINDOW, resetLow, resetHigh, ends: event.from };
}

/**
 * The earliest end of a window in which a request may have been decided, as its marker tells it (µs): two clocks may
 * lag.
 */
function endsAfter({ from }: Event, lag: number): number {
  return from - 2 * (lag + DRIFT * WINDOW);
}

export function isOfDecision(kind: Contradiction['kind']): boolean {
  return kind === 'too late' || kind === 'too early';
}

/** The least that the server clock can be ahead (µs): this marker, within `slack`, was read by the answer. */
export function leastOffset({ from, to }: Event, reset: number, slack: number, { resetHigh }: Alternative): number {
  return reset - slack - (to - from) - resetHigh;
}

/** The most that it can be ahead. */
export function mostOffset(reset: number, slack: number, { resetLow }: Alternative): number {
  return reset + slack - resetLow;
}
