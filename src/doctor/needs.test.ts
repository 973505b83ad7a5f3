import { expect, test } from 'vitest';
import { NEEDS, REMEDIES } from './needs.ts';

test('everything that can be missing is needed by some requirement', () => {
  const needed = new Set<string>(Object.values(NEEDS).flat());
  expect(Object.keys(REMEDIES).filter((need) => !needed.has(need))).toEqual([]);
});
