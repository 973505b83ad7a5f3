import { expect, test } from 'vitest';
import { whyMisplaced } from './direct.ts';

test.each([
  [false, 88.8, /^Usually windows are longer than a minute/],
  [false, 3599.5, /local time/],
  [false, 1000, /a clock is off/],
  [true, 2.1, /window that has ended, or is the start of the window/],
  [true, 7200, /local time/],
])('a cause fits where the marker lies (in the past: %s, by %d s)', (past, distance, cause) => {
  expect(whyMisplaced(past, distance)).toMatch(cause);
});
