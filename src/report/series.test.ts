import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Exchange } from '../trace/exchange.ts';
import { sampleExchange } from './sample-exchange.test-support.ts';
import { plotSeries, SERIES_POINTS } from './series.ts';

const history = fc
  .array(
    fc.record({
      gap: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 30_000_000 })),
      status: fc.constantFrom(200, 404, 429, null),
      remaining: fc.option(fc.integer({ min: -3, max: 100 }), { nil: null }),
    }),
    { minLength: 1, maxLength: 3_000, size: 'max' },
  )
  .map((steps) => {
    let sent = 0;
    return steps.map(({ gap, status, remaining }, seq): Exchange => {
      sent += gap;
      const headers = { ...sampleExchange().headers, remaining: remaining === null ? [] : [String(remaining)] };
      return sampleExchange({ seq, sent, status, headers });
    });
  });

const remainingIn = (values: readonly (number | null)[]): number[] => values.filter((each) => each !== null);

test('a thinned series is bounded, in order, and keeps the extremes and every outcome', () => {
  fc.assert(
    fc.property(history, (exchanges) => {
      const series = plotSeries(exchanges, new Map(), []);
      const all = exchanges.flatMap(({ headers }) => headers.remaining.map(Number));
      expect(series.time.length).toBeLessThanOrEqual(Math.max(SERIES_POINTS, 0));
      expect(series.outcome).toHaveLength(series.time.length);
      expect(series.time).toEqual(series.time.toSorted((a, b) => a - b));
      expect(Math.max(...remainingIn(series.remaining))).toBe(Math.max(...all));
      expect(Math.min(...remainingIn(series.remaining))).toBe(Math.min(...all));
      const outcome = (status: number | null): string =>
        status === null ? 'u' : status === 429 ? 'r' : status === 404 ? 'o' : 'a';
      expect(new Set(series.outcome)).toEqual(new Set(exchanges.map(({ status }) => outcome(status))));
      expect(series.of).toBe(exchanges.length);
    }),
    { numRuns: 40 },
  );
});

test('a short history is kept whole, with its predictions', () => {
  const exchanges = [0, 1, 2].map((seq) => sampleExchange({ seq, sent: seq * 1_000_000 }));
  const series = plotSeries(exchanges, new Map([[1, { low: 98, high: 99 }]]), [61_000, 61_000, 5_000]);
  expect(series).toEqual({
    time: [0, 1000, 2000],
    remaining: [99, 99, 99],
    predictedLow: [null, 98, null],
    predictedHigh: [null, 99, null],
    outcome: 'aaa',
    markers: [5_000, 61_000],
    of: 3,
  });
});

test('the worst miss of a prediction survives thinning', () => {
  const exchanges = Array.from({ length: 5_000 }, (_, seq) =>
    sampleExchange({ seq, sent: seq * 20_000, headers: { ...sampleExchange().headers, remaining: ['50'] } }),
  );
  const predicted = new Map(
    exchanges.map(({ seq }) => [seq, seq === 3_333 ? { low: 7, high: 7 } : { low: 50, high: 50 }]),
  );
  expect(plotSeries(exchanges, predicted, []).predictedLow).toContain(7);
});

test('a remaining value that is no single integer is not plotted', () => {
  const values = [['1, 2'], ['1', '2'], ['1.5'], [], [' 7 ']];
  const exchanges = values.map((remaining, seq) =>
    sampleExchange({ seq, headers: { ...sampleExchange().headers, remaining } }),
  );
  expect(plotSeries(exchanges, new Map(), []).remaining).toEqual([null, null, null, null, 7]);
});
