import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrivalCount, arrivalKind, dueAt } from './arrivals.ts';

const stage = fc.record({
  from: fc.integer({ min: 1, max: 100_000 }),
  to: fc.integer({ min: 1, max: 100_000 }),
  seconds: fc.integer({ min: 1, max: 600 }),
});
const stages = fc.array(stage, { minLength: 1, maxLength: 4 });

describe('dueAt', () => {
  test('an even rate gives even intervals', () => {
    const even = [{ from: 600, to: 600, seconds: 10 }];
    expect([0, 1, 2, 99].map((index) => Math.round(dueAt(even, index)))).toEqual([0, 100, 200, 9_900]);
    expect(arrivalCount(even)).toBe(100);
  });

  test('it never falls, and the last request is due before the end', () => {
    fc.assert(
      fc.property(stages, fc.integer({ min: 0, max: 1_000 }), (list, index) => {
        const requests = arrivalCount(list);
        const end = list.reduce((sum, { seconds }) => sum + seconds * 1000, 0);
        const at = Math.min(index, requests);
        expect(dueAt(list, at)).toBeLessThanOrEqual(dueAt(list, at + 1) + 1e-6);
        expect(dueAt(list, requests)).toBeLessThanOrEqual(end + 1e-6);
      }),
    );
  });

  test('as many requests are due by a time as the rate adds up to', () => {
    fc.assert(
      fc.property(stage, fc.double({ min: 0, max: 1, noNaN: true }), (only, share) => {
        const index = Math.floor(arrivalCount([only]) * share);
        const minutes = dueAt([only], index) / 60_000;
        const rise = (only.to - only.from) / (only.seconds / 60);
        expect(only.from * minutes + (rise * minutes * minutes) / 2).toBeCloseTo(index, 3);
      }),
    );
  });
});

describe('the mix', () => {
  test("in 123 turns each key gets 95 reads and 28 writes, never two windows' worth at once", () => {
    for (const keys of [1, 7]) {
      const kinds = Array.from({ length: 123 * keys }, (_, index) => ({
        key: index % keys,
        kind: arrivalKind(index, keys),
      }));
      for (let key = 0; key < keys; key += 1) {
        const own = kinds.filter((each) => each.key === key).map(({ kind }) => kind);
        expect(own.filter((kind) => kind === 'write')).toHaveLength(28);
        expect(own.filter((kind) => kind === 'read')).toHaveLength(95);
        expect(own.join(' ')).not.toContain('write write');
      }
    }
  });
});
