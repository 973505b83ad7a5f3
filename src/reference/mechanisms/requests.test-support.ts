import * as fc from 'fast-check';
import { SECOND, WINDOW } from '../../deployment/deployment.ts';

export const LIMIT = 5;
/** µs since the Unix epoch. */
export const START = Date.UTC(2026, 10, 21) * 1000 + 7_654_321;

/** Request times in rising order: mostly close together, sometimes seconds or minutes apart, sometimes equal. */
export const times = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 5 * SECOND }) },
      { weight: 2, arbitrary: fc.integer({ min: 5 * SECOND, max: 70 * SECOND }) },
      { weight: 1, arbitrary: fc.constantFrom(0, WINDOW, 2 * WINDOW, WINDOW - 1) },
      { weight: 1, arbitrary: fc.integer({ min: WINDOW, max: 5 * WINDOW }) },
    ),
    { maxLength: 60 },
  )
  .map((gaps) => gaps.map((_, index) => START + gaps.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0)));
