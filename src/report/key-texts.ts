import type { Exchange } from '../trace/exchange.ts';

/** The keys of requests for a table, with how they were sent where that differs. */
export function keyTexts(requests: readonly Exchange[]): string[] {
  const differ = new Set(requests.map(({ credential }) => credential)).size > 1;
  return requests.map(
    ({ key, credential }) => `${key ?? '—'}${differ && key !== null ? ` by ${wayOf(credential)}` : ''}`,
  );
}

function wayOf(credential: string): string {
  return { 'x-api-key': 'X-API-Key', bearer: 'Bearer' }[credential] ?? credential;
}
