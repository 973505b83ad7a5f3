import { expect, test } from 'vitest';
import { retryAfterS } from './retry-after.ts';

const DATE = 'Sat, 21 Nov 2026 08:30:00 GMT';

test.each([
  ['37', 37],
  ['0', 0],
  [' 5 ', 5],
  ['Sat, 21 Nov 2026 08:30:41 GMT', 41],
  ['Sat, 21 Nov 2026 08:29:00 GMT', 0],
  ['1.5', null],
  ['-3', null],
  ['soon', null],
  ['99999999999', null],
])('Retry-After: %s asks for %s s', (text, seconds) => {
  expect(retryAfterS({ retryAfter: [text], date: [DATE] })).toBe(seconds);
});

test('none, several, or a date without the one it is held against: nothing is asked for', () => {
  expect(retryAfterS({ retryAfter: [], date: [DATE] })).toBeNull();
  expect(retryAfterS({ retryAfter: ['1', '2'], date: [DATE] })).toBeNull();
  expect(retryAfterS({ retryAfter: [DATE], date: [] })).toBeNull();
});
