import { type History, WINDOW } from '../oracle/history.ts';

/**
 * The histories with how the target's clock stands, where no `Date` tells it: each marker lies at most a window after its answer, and not
 * before it.
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

/** µs that a marker of whole seconds may be off besides. */
const SECOND = 1_000_000;
