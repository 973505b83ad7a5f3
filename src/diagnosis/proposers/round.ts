import { type Range, WINDOW } from '../../oracle/history.ts';

const SECOND = 1_000_000;

/** µs: lengths that markers show are tried in steps of a tenth of a second. */
export const TENTH = 100_000;

/** Lengths are usually multiples of these, preferably of the first, in µs. */
const ROUND = [30, 15, 10, 5, 1].map((seconds) => seconds * SECOND);

/** A minute in the wrong unit: 60 ms, or 1 s; in µs. */
export const WRONG_UNIT: readonly number[] = [60_000, SECOND];

/** Bits to state how round a length is: one of the five steps, or none. */
const ROUND_BITS = Math.log2(ROUND.length + 1);

/** Bits to state a length: how round it is, and which of the lengths of this roundness up to two minutes. */
export function bitsOfLength(length: number): number {
  if (WRONG_UNIT.includes(length)) return ROUND_BITS + Math.log2(WRONG_UNIT.length);
  const step = ROUND.find((each) => length % each === 0) ?? TENTH;
  return ROUND_BITS + Math.log2((2 * WINDOW) / step);
}

/** The roundest length within these bounds, and of several the shortest. */
export function roundest({ low, high }: Range): number {
  if (high < 0) return -roundest({ low: -high, high: -low });
  if (low <= 0) return 0;
  const step = ROUND.find((each) => Math.ceil(low / each) * each <= high);
  return step === undefined ? (low + high) / 2 : Math.ceil(low / step) * step;
}

/** The roundest length within these bounds, and of several the one in the middle. */
export function roundestAmid({ low, high }: Range): number {
  const middle = (low + high) / 2;
  const nearest = (step: number): number => Math.round(middle / step) * step;
  const step = [...ROUND, TENTH].find((each) => Math.abs(nearest(each) - middle) <= (high - low) / 2);
  return step === undefined ? middle : nearest(step);
}
