import { expect, test } from 'vitest';
import type { BudgetAnalysis, SurvivingVariant } from '../oracle/analysis.ts';
import { parametersOf } from './mechanism.ts';

test('a grid is told by the wall clock, and not by that of the run', () => {
  const variant: SurvivingVariant = {
    mechanism: 'grid',
    phase: { low: 29_000_000, high: 29_010_000 },
    unit: 1e6,
    marker: 'seconds since the epoch',
    offset: { low: 0, high: 0 },
    wholeSeconds: false,
    refusedCounted: false,
    counted: [],
    notCounted: [],
  };
  const analysis = { windowLength: null } satisfies Partial<BudgetAnalysis>;
  const parameters = parametersOf(variant, analysis, Date.UTC(2026, 10, 23, 15, 43, 31) * 1000);
  expect(parameters[0]).toEqual({ name: 'starts in the minute at', value: 'about 0.0 s' });
});
