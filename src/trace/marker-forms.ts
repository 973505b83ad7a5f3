import { WINDOW_S } from '../catalogue/limits.ts';

/** Numbers of units since a moment: the length of the unit in µs, and the moment in ms since the Unix epoch. */
export const UNITS: readonly { readonly name: string; readonly unit: number; readonly origin: number }[] = [
  { name: 'seconds since the epoch', unit: 1e6, origin: 0 },
  { name: 'tenths of a second since the epoch', unit: 1e5, origin: 0 },
  { name: 'hundredths of a second since the epoch', unit: 1e4, origin: 0 },
  { name: 'milliseconds since the epoch', unit: 1e3, origin: 0 },
  { name: 'microseconds since the epoch', unit: 1, origin: 0 },
  { name: 'units of 100 ns since the epoch', unit: 0.1, origin: 0 },
  { name: 'nanoseconds since the epoch', unit: 1e-3, origin: 0 },
  { name: 'minutes since the epoch', unit: 60e6, origin: 0 },
  { name: 'seconds since 1900 (NTP)', unit: 1e6, origin: -2_208_988_800_000 },
  { name: 'seconds since 1904', unit: 1e6, origin: -2_082_844_800_000 },
  { name: 'seconds since 2000', unit: 1e6, origin: 946_684_800_000 },
  { name: 'milliseconds since 2000', unit: 1e3, origin: 946_684_800_000 },
  { name: 'microseconds since 2000', unit: 1, origin: 946_684_800_000 },
  { name: 'seconds since 2001', unit: 1e6, origin: 978_307_200_000 },
  { name: 'milliseconds since 2001', unit: 1e3, origin: 978_307_200_000 },
  { name: 'units of 100 ns since 1601 (FILETIME)', unit: 0.1, origin: -11_644_473_600_000 },
  { name: 'units of 100 ns since the year 1 (ticks)', unit: 0.1, origin: -62_135_596_800_000 },
];

/** Calendar times that are written as one number: the precision in µs, and the digits of each part. */
export const CALENDARS: readonly { readonly name: string; readonly unit: number; readonly form: RegExp }[] = [
  { name: 'YYYYMMDDhhmmss', unit: 1e6, form: /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/ },
  { name: 'YYYYMMDDhhmmssSSS', unit: 1e3, form: /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})$/ },
  { name: 'YYYYMMDDhhmmssffffff', unit: 1, form: /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{6})$/ },
  { name: 'YYYYMMDDhhmm', unit: 60e6, form: /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/ },
  { name: 'YYMMDDhhmmss', unit: 1e6, form: /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/ },
];

/** A calendar time in µs since the Unix epoch, as if it were UTC; null if the text does not have the form. */
export function calendarTime(text: string, form: RegExp): number | null {
  const parts = form.exec(text)?.slice(1) ?? [];
  const [year = 0, month = 0, day, hour, minute, second = 0] = parts.slice(0, 6).map(Number);
  if (day === undefined || month < 1 || month > 12) return null;
  const century = year < 100 ? 2000 : 0;
  const whole = Date.UTC(century + year, month - 1, day, hour, minute, second) * 1000;
  return whole + Number(`0.${parts[6] ?? 0}`) * 1e6;
}

/** One hour in µs. */
export const HOUR = 3600e6;

/** Time zones are multiples of this from UTC, in µs. */
export const ZONE_STEP = HOUR / 4;

/**
 * The time zone of a calendar time, in µs from UTC, if it lies between its answer and a window after it; null if no
 * zone is so far from UTC.
 *
 * @param ahead by how much the calendar time lies after its answer, read as UTC, in µs
 */
export function zoneOf(ahead: number): number | null {
  const zone = Math.round((ahead - (WINDOW_S * 1e6) / 2) / ZONE_STEP) * ZONE_STEP;
  return Math.abs(zone) <= 14 * HOUR ? zone : null;
}
