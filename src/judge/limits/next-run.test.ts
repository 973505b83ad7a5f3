import { expect, test } from 'vitest';
import { toTest, UNNAMED } from './next-run.ts';
import { remainingWitness, thresholdWitness } from './witnesses.ts';

const facts = { certified: true, spends: true, keys: 4, broken: true };
const how = 'which sends bursts';

test('nothing is advised that the run has done', () => {
  expect(toTest(facts, how, 2)).toBe('Fix what fails first, and run again.');
  expect(toTest({ ...facts, broken: false }, how)).toMatch(/^Wait two minutes, and run again/);
});

test('what the run has not done is advised: certify, or more keys', () => {
  expect(toTest({ ...facts, certified: false, broken: false }, how)).toBe('Run certify, which sends bursts.');
  expect(toTest({ ...facts, keys: 1 }, how, 2)).toMatch(/run certify with at least two keys/);
});

test('where no deviation is known, nothing is said of how many there are', () => {
  expect(UNNAMED).toMatch(/^Usually a mistake that this suite does not know by name, or several at once/);
});

const counts = {
  part: 'key-1 read',
  kind: 'read',
  mechanisms: [],
  requests: 120,
  accepted: 100,
  refused: 20,
  remaining: 0,
  refusedRemaining: 0,
  late: null,
  markers: 0,
  clockKnown: true,
  usable: { remaining: true, reset: true },
  lost: 0,
  exact: false,
  atOnce: { requests: 0, telling: false, repeats: false },
  window: null,
} as const;

test('the network is blamed only where an answer was lost', () => {
  const sound = { ...facts, broken: false };
  expect(thresholdWitness(counts, sound).remedy).not.toMatch(/network/);
  expect(thresholdWitness({ ...counts, lost: 1 }, sound).remedy).toMatch(/network/);
});

test('a header is to be corrected only where it was not usable', () => {
  expect(remainingWitness(counts, facts).remedy).toBe('Fix what fails first, and run again.');
  expect(remainingWitness({ ...counts, usable: { remaining: false, reset: true } }, facts).remedy).toMatch(
    /carry X-RateLimit-Remaining as one integer/,
  );
});

test('where nothing fails, no failure is said to hide a header', () => {
  expect(remainingWitness(counts, facts).summary).toBe('This cannot be judged because of what fails.');
  const sound = remainingWitness(counts, { ...facts, broken: false });
  expect(sound).toMatchObject({ verdict: 'not tested' });
  expect(sound.summary).toBe('No request that was certainly counted shows X-RateLimit-Remaining.');
});
