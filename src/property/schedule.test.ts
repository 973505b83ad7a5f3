import fc from 'fast-check';
import { expect, test } from 'vitest';
import { schedules } from './schedule.ts';

test('schedules keep to their allowance, and a seed repeats them', () => {
  const allowances = fc.record({
    seconds: fc.integer({ min: 1, max: 600 }),
    requests: fc.integer({ min: 1, max: 2000 }),
  });
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 5 }), allowances, (seed, runs, allowance) => {
      const made = schedules(seed, runs, allowance);
      expect(schedules(seed, runs, allowance)).toEqual(made);
      const steps = made.flat();
      expect(steps.reduce((sum, each) => sum + each.count, 0)).toBeLessThanOrEqual(allowance.requests);
      expect(steps.reduce((sum, each) => sum + each.gap, 0)).toBeLessThanOrEqual(allowance.seconds * 1000);
    }),
    { numRuns: 40 },
  );
});

test('there are bursts that spend a budget, and gaps as long as a window', () => {
  const steps = schedules(1, 20, { seconds: 60_000, requests: 100_000 }).flat();
  expect(steps.some((each) => each.count > 100)).toBe(true);
  expect(steps.some((each) => each.gap > 60_000)).toBe(true);
  expect(new Set(steps.map((each) => each.kind)).size).toBe(2);
});
