import type { Exchange } from '../trace/exchange.ts';
import { printable, shorten } from './printable.ts';
import { headerText } from './wording.ts';

/** Headings of the table in which a text shows requests. */
export const EVIDENCE_COLUMNS = ['#', 'Sent', 'Key', 'Request', 'Status', 'Limit', 'Remaining', 'Reset'] as const;

/**
 * Requests as the rows of that table; times in seconds from the start of the run.
 *
 * @param widths how many characters of a request's target and of a header's value are shown at most
 */
export function evidenceRows(
  requests: readonly Exchange[],
  widths: { readonly target: number; readonly value: number },
): string[][] {
  const keys = keyTexts(requests);
  return requests.map(({ seq, sent, method, target, fault, variation, status, failure, headers }, index) => [
    String(seq),
    `${(sent / 1e6).toFixed(3)} s`,
    keys[index] ?? '',
    `${shorten(`${method} ${printable(target)}`, widths.target)}${fault === 'bad-key' || variation === null ? '' : ` (${variation})`}`,
    String(status ?? failure ?? '—'),
    ...[headers.limit, headers.remaining, headers.reset].map((values) =>
      shorten(printable(headerText(values)), widths.value),
    ),
  ]);
}

/** The keys of requests for a table, with what was done to them, and how they were sent where that differs. */
export function keyTexts(requests: readonly Exchange[]): string[] {
  const differ = new Set(requests.map(({ credential }) => credential)).size > 1;
  return requests.map(({ key, fault, variation, credential }) => {
    if (key === null) return '—';
    const changed = fault === 'bad-key' && key !== 'unknown' && variation !== null ? ` (${variation})` : '';
    return `${key}${changed}${differ ? ` by ${wayOf(credential)}` : ''}`;
  });
}

function wayOf(credential: string): string {
  return { 'x-api-key': 'X-API-Key', bearer: 'Bearer' }[credential] ?? credential;
}
