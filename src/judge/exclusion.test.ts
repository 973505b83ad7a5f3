import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameOf } from '../oracle/mechanism-name.ts';
import type { MechanismName } from '../oracle/variant.ts';
import { exclusion, findingOf, isExclusion } from './exclusion.ts';

const NAMES: readonly MechanismName[] = ['grid', 'anchored', 'grid, anchored', 'anchored, all', 'log', 'counter'];

test('what excludes mechanisms is known for it, and gives back what contradicts them', () => {
  const mechanisms = fc.subarray(NAMES.map(nameOf), { minLength: 1 });
  const finding = fc.oneof(fc.string(), fc.constantFrom('#3 was accepted: 9 were counted.', 'Not a word: #1.'));
  fc.assert(
    fc.property(mechanisms, finding, (names, found) => {
      const sentence = exclusion(names, found);
      expect(isExclusion(sentence)).toBe(true);
      expect(findingOf(sentence)).toBe(found);
    }),
  );
});

test('a sentence that excludes nothing is left as it is', () => {
  for (const sentence of ['From #1 to #2, 102 were accepted: the limit is 100.', '#9 was answered 429.']) {
    expect([isExclusion(sentence), findingOf(sentence)]).toEqual([false, sentence]);
  }
});
