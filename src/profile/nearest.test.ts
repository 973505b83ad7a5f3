import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearest } from './nearest.ts';

test.each([
  ['certfy', ['check', 'certify'], 'certify'],
  ['hdr-1', ['HDR-2', 'HDR-1'], 'HDR-1'],
  ['raed', ['read', 'write'], 'read'],
  ['colour', ['target', 'pacing'], null],
  ['ab', ['yz'], null],
  ['x'.repeat(1000), ['x'.repeat(1000)], null],
])('the nearest to %s', (word, candidates, expected) => expect(nearest(word, candidates)).toBe(expected));

test('the distance is 0 only to itself, the same both ways, at most the longer length, and 1 for one edit', () => {
  const word = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(word, word, fc.nat(), (a, b, at) => {
      expect(editDistance(a, b) === 0).toBe(a === b);
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
      const place = at % (a.length + 1);
      expect(editDistance(a, `${a.slice(0, place)}#${a.slice(place)}`)).toBe(1);
    }),
  );
});
