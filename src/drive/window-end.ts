import type { CapturedHeaders } from '../trace/exchange.ts';

/** Units of known markers, in µs each. */
const UNITS_US = [1e6, 1e5, 1e4, 1e3, 1, 0.1, 0.001];

/**
 * The expected end of an answer's window on the run's clock, according to its marker. It is used to place requests,
 * never to judge. The unit is the one that puts the marker nearest to the next minute. The server's clock is taken from
 * `Date` if it differs from ours by more than rounding allows.
 *
 * @param epoch wall clock in µs since the Unix epoch at time 0 of the run's clock
 * @param answered µs of the run's clock when the answer's head arrived
 * @returns µs of the run's clock, or null if the marker is missing or makes no sense
 */
export function windowEnd(headers: CapturedHeaders, epoch: number, answered: number): number | null {
  const [text] = headers.reset;
  if (text === undefined || headers.reset.length !== 1 || !/^\s*\d{1,20}\s*$/.test(text)) return null;
  const marker = Number(text);
  const [date] = headers.date;
  const serverSecond = date === undefined ? Number.NaN : Date.parse(date) * 1000;
  const here = epoch + answered;
  const skew =
    Math.abs(serverSecond + 5e5 - here) < 2.5e6 || Number.isNaN(serverSecond) ? 0 : serverSecond + 5e5 - here;
  let best: number | null = null;
  for (const unit of UNITS_US) {
    const ahead = marker * unit - (here + skew);
    if (ahead > -5e6 && ahead < 70e6) best ??= ahead;
  }
  return best === null ? null : answered + best;
}
