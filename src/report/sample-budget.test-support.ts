import type { Exchange } from '../trace/exchange.ts';
import type { ReportedBudget } from './report.ts';
import { sampleExchange } from './sample-exchange.test-support.ts';
import { plotSeries } from './series.ts';

/** A budget of a fixed window from the first request: spent, refused, back after a minute, spent again. */
export function fixedWindowBudget(
  key: string,
  kind: 'read' | 'write',
  limit: number,
  requests = limit + 40,
): ReportedBudget {
  const exchanges: Exchange[] = [];
  const predicted = new Map<number, { readonly low: number; readonly high: number }>();
  const half = Math.ceil(requests / 2);
  for (let index = 0; index < requests; index += 1) {
    const round = index < half ? 0 : 1;
    const place = round === 0 ? index : index - half;
    const pulse = place < half / 3 ? 1_000 : place < (2 * half) / 3 ? 18_000 : 41_000;
    const time = round * 61_000 + pulse + place * 23;
    const remaining = Math.max(0, limit - place - 1);
    predicted.set(index, { low: remaining, high: remaining });
    exchanges.push(
      sampleExchange({
        seq: index,
        key,
        kind,
        sent: time * 1000,
        status: place < limit ? 200 : 429,
        headers: {
          limit: [String(limit)],
          remaining: [String(remaining)],
          reset: ['1773480473'],
          date: [],
          retryAfter: [],
          other: {},
        },
      }),
    );
  }
  return {
    key,
    kind,
    limit,
    requests,
    accepted: Math.min(limit, half) + Math.min(limit, requests - half),
    refused: Math.max(0, half - limit) + Math.max(0, requests - half - limit),
    mechanisms: [
      {
        name: 'fixed window, from the first request',
        parameters: [
          { name: 'window', value: '59.97–60.03 s' },
          { name: 'marker', value: 'seconds since the epoch, rounded up' },
        ],
      },
    ],
    refuted: [
      {
        name: 'fixed window, on the clock’s grid',
        argument: ['#12 and #60 lie in one minute of the clock, yet #60 starts a new count.'],
        evidence: [12, 60],
      },
      {
        name: 'sliding log',
        argument: ['#118 was accepted although 100 requests lie in the 60 s before it.'],
        evidence: [118],
      },
    ],
    diagnosis: null,
    windows: [
      {
        start: 1_000,
        end: 61_000,
        uncertainty: 265,
        accepted: Math.min(limit, half),
        refused: Math.max(0, half - limit),
        overshoot: 0,
        undershoot: 0,
      },
      {
        start: 62_000,
        end: 122_000,
        uncertainty: 265,
        accepted: Math.min(limit, requests - half),
        refused: Math.max(0, requests - half - limit),
        overshoot: 0,
        undershoot: 0,
      },
    ],
    series: plotSeries(exchanges, predicted, [61_000, 122_000]),
  };
}
