import { type History, WINDOW } from '../oracle/history.ts';

/**
 * The histories with bounds on the target's clock if no `Date` shows it: each marker lies after its answer, by at most
 * a window.
 */
export function clocked(histories: readonly History[]): readonly History[] {
  if (histories.every(({ offset }) => Number.isFinite(offset.low) && Number.isFinite(offset.high))) return histories;
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  for (const { events, unit } of histories) {
    for (const { reset, from, to } of events) {
      if (reset === null || unit === null) continue;
      low = Math.max(low, reset - unit - SECOND - WINDOW - to);
      high = Math.min(high, reset + unit + SECOND - from);
    }
  }
  return low > high ? histories : histories.map((history) => ({ ...history, offset: { low, high } }));
}

/** µs by which a marker in whole seconds may be off in addition. */
const SECOND = 1_000_000;
