import type { Exchange } from '../trace/exchange.ts';

const details = new WeakMap<Exchange, string>();

/** Keeps what happened to a request beside its exchange: a recording says only of which kind it was. */
export function keepDetail(exchange: Exchange, detail: string | null): void {
  if (detail !== null) details.set(exchange, detail);
}

/** What happened to a request of this process; null: nothing is known. Contains no text of the target. */
export function detailOf(exchange: Exchange): string | null {
  return details.get(exchange) ?? null;
}
