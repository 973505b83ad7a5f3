import type { Exchange } from '../trace/exchange.ts';
import { exchangeOf } from '../trace/trace.test-support.ts';

/** An accepted read; `rest` changes it. */
export function sampleExchange(rest: Partial<Exchange> = {}): Exchange {
  return exchangeOf(1, {
    experiment: 'polled-read',
    step: 'probe',
    operation: 'list-labels',
    sent: 1_250_000,
    answered: 1_252_000,
    headers: { limit: ['100'], remaining: ['99'], reset: ['1773480473'], date: [], retryAfter: [], other: {} },
    ...rest,
  });
}
