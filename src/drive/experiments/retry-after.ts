import type { CapturedHeaders } from '../../trace/exchange.ts';

/**
 * Seconds that `Retry-After` asks to wait (RFC 9110, 10.2.3): a number of them, or a date, which is held against that of the answer, so that
 * no clock but the target's is asked. Null where there is none that can be read.
 */
export function retryAfterS({ retryAfter, date }: Pick<CapturedHeaders, 'retryAfter' | 'date'>): number | null {
  const text = retryAfter.length === 1 ? (retryAfter[0]?.trim() ?? '') : '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  if (!text.endsWith(' GMT')) return null;
  const wait = (Date.parse(text) - Date.parse(date[0] ?? '')) / 1000;
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}
