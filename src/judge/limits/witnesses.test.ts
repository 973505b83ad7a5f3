import { expect, test } from 'vitest';
import type { Counts } from './counts.ts';
import { refusalWitness } from './witnesses.ts';

const facts = { certified: true, keys: 4, broken: false };

test('where each 429 lacks Remaining, nobody is sent to look for others that use the keys', () => {
  const counts = { part: 'reads', refused: 8, refusedRemaining: 0, late: null } as Counts;
  const ruling = refusalWitness(counts, facts);
  expect(ruling.summary).toBe('No 429 carries a usable X-RateLimit-Remaining (HDR-1, HDR-2).');
  expect(ruling.remedy).toMatch(/^Let every 429 carry X-RateLimit-Remaining/);
  expect(refusalWitness({ ...counts, refused: 0 }, facts).remedy).toMatch(/nobody else uses/);
});
