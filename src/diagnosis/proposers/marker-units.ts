import { type History, WINDOW } from '../../oracle/history.ts';
import { singleInteger } from '../../oracle/single-integer.ts';

const SECOND = 1_000_000;

/** Factors between units that are used for markers: seconds, milliseconds and microseconds. */
const FACTORS = [1e-6, 1e-3, 1e3, 1e6];

/**
 * Whether all markers lie between their answers and the end of a window, to the second, if they are in some other unit.
 *
 * @param unit in which the markers of the run are read, in µs
 */
export function areInOtherUnit(histories: readonly History[], unit: number | null): boolean {
  if (unit === null) return false;
  return FACTORS.some((factor) =>
    histories.every(({ events, offset }) => {
      const clock = Number.isFinite(offset.low + offset.high) ? offset : { low: 0, high: 0 };
      return events.every(({ reset, from, to, exchange }) => {
        const value = singleInteger(exchange.headers.reset);
        if (reset === null || value === null) return true;
        const end = reset + value * unit * (factor - 1);
        return end >= from + clock.low - SECOND && end <= to + WINDOW + clock.high + SECOND;
      });
    }),
  );
}

/** The unit in which markers are read, in µs; null if none differ. */
export function unitOf(histories: readonly History[]): number | null {
  let first: { readonly reset: number; readonly value: number } | null = null;
  for (const { reset, exchange } of histories.flatMap(({ events }) => events)) {
    const value = singleInteger(exchange.headers.reset);
    if (reset === null || value === null) continue;
    first ??= { reset, value };
    if (value !== first.value) return (reset - first.reset) / (value - first.value);
  }
  return null;
}
