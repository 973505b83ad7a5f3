import type { Exchange } from '../trace/exchange.ts';

/** An accepted read; `rest` changes it. */
export function sampleExchange(rest: Partial<Exchange> = {}): Exchange {
  return {
    seq: 1,
    experiment: 'polled-read',
    step: 'probe',
    pair: null,
    operation: 'list-labels',
    group: 'labels',
    kind: 'read',
    fault: 'none',
    key: 'key-1',
    credential: 'x-api-key',
    variation: null,
    method: 'GET',
    target: '/labels',
    connection: 1,
    sent: 1_250_000,
    answered: 1_252_000,
    status: 200,
    failure: null,
    headers: { limit: ['100'], remaining: ['99'], reset: ['1773480473'], date: [], retryAfter: [], other: {} },
    ...rest,
  };
}
