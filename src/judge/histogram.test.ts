import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Histogram } from './histogram.ts';

const durations = fc.array(fc.integer({ min: 0, max: 600_000_000 }), { minLength: 1, maxLength: 200 });

function histogramOf(values: readonly number[]): Histogram {
  const histogram = new Histogram();
  for (const value of values) histogram.add(value);
  return histogram;
}

/** The exact quantile by the same rank. */
function exact(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(share * sorted.length - 1e-9)) - 1] ?? 0;
}

describe('Histogram', () => {
  test('a quantile is never too low, and at most 0.1 % too high', () => {
    fc.assert(
      fc.property(durations, fc.constantFrom(0, 0.5, 0.9, 0.99, 0.999, 1), (values, share) => {
        const truth = exact(values, share);
        const told = histogramOf(values).quantile(share);
        expect(told).toBeGreaterThanOrEqual(truth);
        expect(told).toBeLessThanOrEqual(Math.max(truth, truth * 1.001));
      }),
    );
  });

  test('histograms that are merged tell the same as one of all values', () => {
    fc.assert(
      fc.property(durations, durations, (ours, theirs) => {
        const merged = histogramOf(ours);
        merged.merge(histogramOf(theirs));
        const whole = histogramOf([...ours, ...theirs]);
        expect([merged.count, merged.max, merged.quantile(0.5), merged.quantile(0.99)]).toEqual([
          whole.count,
          whole.max,
          whole.quantile(0.5),
          whole.quantile(0.99),
        ]);
      }),
    );
  });

  test('an empty one tells 0', () => {
    expect(new Histogram().quantile(0.99)).toBe(0);
  });
});
