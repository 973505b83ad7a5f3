import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom, shuffled } from './random.ts';

test('the same seed and label repeat the same numbers, all in [0, 1)', () => {
  fc.assert(
    fc.property(fc.integer(), fc.string(), (seed, label) => {
      const [one, two] = [seededRandom(seed, label), seededRandom(seed, label)];
      for (let draw = 0; draw < 20; draw += 1) {
        const value = one();
        expect(value).toBe(two());
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThan(1);
      }
    }),
  );
});

test('what is shuffled stays what it is, and each comes to every place', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer(), (things, seed) => {
      const mixed = shuffled(seededRandom(seed), things);
      expect(mixed.toSorted((one, other) => one - other)).toEqual(things.toSorted((one, other) => one - other));
    }),
  );
  const random = seededRandom(3);
  const places = new Set(Array.from({ length: 200 }, () => shuffled(random, ['a', 'b', 'c', 'd']).indexOf('a')));
  expect(places.size).toBe(4);
});

test('labels fork streams that differ', () => {
  expect(seededRandom(7, 'alpha')()).not.toBe(seededRandom(7, 'beta')());
});

test('draws spread evenly', () => {
  const random = seededRandom(1);
  const tenths = new Array<number>(10).fill(0);
  for (let draw = 0; draw < 20_000; draw += 1) {
    const index = Math.floor(random() * 10);
    tenths[index] = (tenths[index] ?? 0) + 1;
  }
  for (const count of tenths) expect(count).toBeGreaterThan(1800);
});
