import { expect, test } from 'vitest';
import type { Counts } from './counts.ts';
import { refusalWitness, thresholdWitness, windowWitness } from './witnesses.ts';

const facts = { certified: true, spends: true, keys: 4, broken: false };

test('where each 429 lacks Remaining, nobody is sent to look for others that use the keys', () => {
  const counts = { part: 'reads', refused: 8, refusedRemaining: 0, late: null } as Counts;
  const ruling = refusalWitness(counts, facts);
  expect(ruling.summary).toBe('No 429 carries a usable X-RateLimit-Remaining (HDR-1, HDR-2).');
  expect(ruling.remedy).toMatch(/^Let every 429 carry X-RateLimit-Remaining/);
  expect(refusalWitness({ ...counts, refused: 0 }, facts).remedy).toMatch(/nobody else uses/);
});

test('a budget that a quick look finds spent leaves nothing undecided', () => {
  const counts = { part: 'reads', kind: 'read', window: { low: 52e6, high: 130e6 }, refused: 1, lost: 0 } as Counts;
  const quick = { certified: false, spends: false, keys: 4, broken: false };
  for (const witness of [thresholdWitness, windowWitness]) {
    expect(witness(counts, quick).verdict).toBe('not tested');
    expect(witness(counts, facts).verdict).toBe('inconclusive');
  }
});

test('where one key shows the length of a window too roughly, more keys are asked for', () => {
  const counts = { part: 'reads', kind: 'read', window: { low: 53e6, high: 62.3e6 }, refused: 1, lost: 0 } as Counts;
  expect(windowWitness(counts, { ...facts, keys: 1 }).remedy).toBe('Run certify with at least two keys.');
  expect(windowWitness(counts, facts).remedy).not.toMatch(/two keys/);
});
