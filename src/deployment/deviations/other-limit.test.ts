import { expect, test } from 'vitest';
import { isWithin } from './other-limit.ts';

test.each([
  [{ at: 50 }, [49], [50, 500]],
  [{ at: 0, lasts: 50 }, [-1, 50], [0, 49]],
  [{ at: 50, lasts: 60, every: 120 }, [-71, -10, 49, 110, 169], [-70, -11, 50, 109, 170]],
])('stretches of time %j', (stretches, outside, within) => {
  expect([...outside, ...within].filter((each) => isWithin(stretches, each))).toEqual(within);
});
