import type { CapturedHeaders } from '../../trace/exchange.ts';

/**
 * The seconds that `Retry-After` asks to wait (RFC 9110, 10.2.3). It is a number of seconds or a date. A date is
 * compared with the `Date` of the answer, so only the target's clock is used. Null if it is missing or cannot be read.
 */
export function retryAfterS({ retryAfter, date }: Pick<CapturedHeaders, 'retryAfter' | 'date'>): number | null {
  const text = retryAfter.length === 1 ? (retryAfter[0]?.trim() ?? '') : '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  if (!text.endsWith(' GMT')) return null;
  const wait = (Date.parse(text) - Date.parse(date[0] ?? '')) / 1000;
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}
