import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ranks } from './ranks.ts';

test('requests have ranks as long as no number is said to be left, or more, by more of them than can say so', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom(0, 1, 3, Number.POSITIVE_INFINITY),
      fc.array(fc.integer({ min: 0, max: 14 }), { maxLength: 20 }),
      (shown, beyond, left) => {
        const ranks = new Ranks(shown, shown + beyond);
        const taken: number[] = [];
        for (const remaining of left.filter((each) => each < shown)) {
          const more = [...taken, remaining];
          const fits = more.every(
            (r) => more.filter((each) => each >= r).length <= (r === 0 ? shown + beyond : shown - r),
          );
          expect(ranks.take(remaining)).toBe(fits);
          if (fits) taken.push(remaining);
        }
      },
    ),
  );
});
