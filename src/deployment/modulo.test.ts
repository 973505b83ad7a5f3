import fc from 'fast-check';
import { expect, test } from 'vitest';
import { modulo } from './modulo.ts';

test('whole multiples more or less change nothing', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.nat(999),
      fc.integer({ min: -1000, max: 1000 }),
      (of, n, times) => {
        expect(modulo((n % of) + times * of, of)).toBe(n % of);
      },
    ),
  );
});
