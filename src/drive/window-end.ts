import type { CapturedHeaders } from '../trace/exchange.ts';
import { CALENDARS, calendarTime, UNITS, zoneOf } from '../trace/marker-forms.ts';

/** A window ends at most this long (µs) before or after its answer, by clocks that differ and tick in seconds. */
const LATEST_PAST = 5e6;
const FURTHEST = 70e6;

/**
 * The expected end of an answer's window on the run's clock, according to its marker. It is used to place requests,
 * never to judge. The form is the first that puts the marker into the next minute. The server's clock is taken from
 * `Date` if it differs from ours by more than rounding allows.
 *
 * @param epoch wall clock in µs since the Unix epoch at time 0 of the run's clock
 * @param answered µs of the run's clock when the answer's head arrived
 * @returns µs of the run's clock, or null if the marker is missing or makes no sense
 */
export function windowEnd(headers: CapturedHeaders, epoch: number, answered: number): number | null {
  const text = headers.reset[0]?.trim();
  if (text === undefined || headers.reset.length !== 1 || !/^\d{1,20}$/.test(text)) return null;
  const [date] = headers.date;
  const serverSecond = date === undefined ? Number.NaN : Date.parse(date) * 1000;
  const here = epoch + answered;
  const skew =
    Math.abs(serverSecond + 5e5 - here) < 2.5e6 || Number.isNaN(serverSecond) ? 0 : serverSecond + 5e5 - here;
  // The `Date` may be wrong where the marker is right.
  const clocks = skew === 0 ? [here] : [here + skew, here];
  const stated = readings(text);
  const ahead = clocks
    .flatMap((now) => stated.map(({ time, isLocal }) => (isLocal ? inZone(time - now) : time - now)))
    .find((each) => each > -LATEST_PAST && each < FURTHEST);
  return ahead === undefined ? null : answered + ahead;
}

/** The times that a marker may state, in µs since the Unix epoch, and whether it may be local time. */
function readings(text: string): readonly { readonly time: number; readonly isLocal: boolean }[] {
  const numbers = UNITS.map(({ unit, origin }) => ({ time: Number(text) * unit + origin * 1000, isLocal: false }));
  const calendars = CALENDARS.flatMap(({ form }) => {
    const time = calendarTime(text, form);
    return time === null ? [] : [{ time, isLocal: true }];
  });
  return [...numbers, ...calendars];
}

function inZone(ahead: number): number {
  return ahead - (zoneOf(ahead) ?? 0);
}
