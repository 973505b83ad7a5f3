import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Demand } from '../catalogue/coverage.ts';
import { cover, type Levels } from './cover.ts';

const FACTORS = ['operation', 'way', 'state', 'key'] as const;
const levels = fc.record({
  operation: fc.constantFrom('a', 'b', 'c'),
  way: fc.constantFrom('x', 'y'),
  state: fc.constantFrom('1', '2', '3', '4'),
  key: fc.constantFrom('k', 'l'),
});

/** Whether some row has these levels: not as the generator finds it out. */
function has(rows: readonly Levels[], wanted: Levels): boolean {
  return rows.some((row) => FACTORS.every((factor) => wanted[factor] === undefined || wanted[factor] === row[factor]));
}

test('every combination that a candidate has is covered, by candidates, and none in vain', () => {
  fc.assert(
    fc.property(
      fc.array(levels, { minLength: 1, maxLength: 40 }),
      fc.array(levels, { maxLength: 6 }),
      fc.integer({ min: 1, max: 3 }),
      (candidates, already, strength) => {
        const demand: Demand = { given: {}, factors: FACTORS, strength };
        const chosen = cover(candidates, (each) => each, [demand], already);
        expect(chosen.every((each) => candidates.includes(each))).toBe(true);
        const rows = [...already, ...chosen];
        for (const each of candidates) {
          for (const left of subsetsOf(FACTORS, strength)) {
            expect(has(rows, Object.fromEntries(left.map((factor) => [factor, each[factor]])))).toBe(true);
          }
        }
        expect(chosen.length).toBeLessThanOrEqual(candidates.length);
        if (candidates.every((each) => has(already, each))) expect(chosen).toEqual([]);
      },
    ),
  );
});

test('a demand speaks of the requests that it names and of no others', () => {
  const rows: Levels[] = [
    { operation: 'a', fault: 'none' },
    { operation: 'b', fault: 'no-key' },
    { operation: 'a', fault: 'no-key' },
  ];
  const demand: Demand = { given: { fault: ['no-key'] }, factors: ['operation'], strength: 1 };
  expect(cover(rows, (each) => each, [demand])).toEqual(rows.slice(1));
});

function subsetsOf<T>(items: readonly T[], size: number): T[][] {
  const all = Array.from({ length: 2 ** items.length }, (_, bits) =>
    items.filter((_item, at) => (bits >> at) % 2 === 1),
  );
  return all.filter((each) => each.length === size);
}
