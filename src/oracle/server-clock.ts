import { budgetKey, type Exchange } from '../trace/exchange.ts';
import { remembering } from '../trace/remembering.ts';
import { type Range, UNBOUNDED, WINDOW } from './history.ts';
import type { Markers } from './marker-reading.ts';

/** Rounding down to a second, plus a second for which servers cache the value, in µs. */
export const OLDEST_DATE = 2_000_000;

/**
 * Server clock minus client clock in µs, from the `Date` headers: a whole second that was current between `sent` and
 * `answered`. Servers cache the header for up to a second, so it may lag by one more. Infinite on both sides if there
 * are none, or if they contradict each other (several clocks answered).
 *
 * @param dates reads an HTTP date (RFC 9110, 5.6.7) to ms since the Unix epoch, NaN if it is not one
 */
export function dateOffset(exchanges: readonly Exchange[], epoch: number): Range {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  forEachDate(exchanges, epoch, (least, most) => {
    low = Math.max(low, least);
    high = Math.min(high, most);
  });
  return offsetWithin(low, high);
}

/** @param take is told of each answer with a `Date`, and the bounds on the offset by this alone */
export function forEachDate(
  exchanges: readonly Exchange[],
  epoch: number,
  take: (low: number, high: number, exchange: Exchange, answered: number) => void,
): void {
  const read = remembering((lines) => (lines.length === 1 ? Date.parse(lines[0] ?? '') * 1000 - epoch : Number.NaN));
  for (const exchange of exchanges) {
    const { headers, sent, answered } = exchange;
    if (answered === null) continue;
    const date = read(headers.date);
    if (!Number.isNaN(date)) take(date - answered, date + OLDEST_DATE - sent, exchange, answered);
  }
}

/** The bounds on the offset if one `Date` says at least `low` and one at most `high`. */
export function offsetWithin(low: number, high: number): Range {
  return low <= high ? { low, high } : UNBOUNDED;
}

/**
 * How far (µs) a marker may seem to lie before its answer, or more than a window after it: clocks tick, and answers
 * take time.
 */
const SLACK = 5_000_000;

/**
 * The offset of the clock that the markers follow, if that is not the one of the `Date` headers: where most markers lie
 * within the window after their answers by the client's clock, and not by the `Date`, a `Date` that is wrong says
 * nothing about them. It is open then.
 *
 * @param dated server clock minus client clock in µs, by the `Date` headers
 */
export function markerOffset(dated: Range, exchanges: readonly Exchange[], markers: Markers): Range {
  if (!Number.isFinite(dated.low + dated.high) || (dated.low <= 0 && dated.high >= 0)) return dated;
  const ahead = exchanges.flatMap((exchange) => {
    const { answered, kind, headers } = exchange;
    const { ownZero, read } = markers[kind];
    const time = answered === null || ownZero ? null : read(headers.reset, budgetKey(exchange));
    return time === null || answered === null ? [] : [time - answered];
  });
  const within = ({ low, high }: Range): number =>
    ahead.filter((each) => each >= low - SLACK && each <= high + WINDOW + SLACK).length;
  const isWrong = within({ low: 0, high: 0 }) > ahead.length / 2 && within(dated) <= ahead.length / 2;
  return isWrong ? UNBOUNDED : dated;
}
