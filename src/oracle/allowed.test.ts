import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLeftInSome } from './allowed.ts';
import type { Event } from './history.ts';
import { type Alternative, ANY_WINDOW } from './model.ts';

const LIMIT = 30;

test('whenever headers are read, what they say is left is so in some window, or in none', () => {
  const window = fc.record({ before: fc.nat(LIMIT), more: fc.nat(10), later: fc.nat(10) });
  fc.assert(
    fc.property(fc.array(window, { minLength: 1, maxLength: 3 }), fc.nat(3), (windows, at) => {
      const alternatives = windows.map(({ before, more }): Alternative => {
        return { ...ANY_WINDOW, low: before, high: before + more };
      });
      const read = windows[at];
      // With the request itself, if it was counted there.
      const counted = read ? read.before + Math.min(read.more + 1, read.later) : 0;
      const remaining = Math.max(0, LIMIT - counted);
      expect(isLeftInSome({ remaining } as Event, alternatives, LIMIT)).toBe(true);
    }),
  );
});

test('with two left in the only window, no answer says that almost all are left', () => {
  const alternatives = [{ ...ANY_WINDOW, low: 28, high: 30 }];
  const left = [0, 1, 2, 3, 29, 30].filter((remaining) => isLeftInSome({ remaining } as Event, alternatives, LIMIT));
  expect(left).toEqual([0, 1, 2, 30]);
});
