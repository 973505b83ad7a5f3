import { expect, test } from 'vitest';
import { sampled, thorough } from '../../test/sampled.test-support.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { defectNamed } from '../reference/conduct.ts';
import { again, anyOf, found, seeds, withSeeds } from './replays.test-support.ts';
import { requestsOf } from './sequence.ts';

// A limit takes a minute: all of it passes in virtual time, so that no test hangs on how busy the machine is.

const MENDED = [
  ['permission-401', 'AUTH-6'],
  ['limit-minus-one', 'LIMIT-R'],
  ['per-group', 'LIMIT-SCOPE'],
  ['shared-kinds', 'LIMIT-RW'],
  ['one-for-all', 'LIMIT-KEY'],
] as const;

test.each(withSeeds(sampled(MENDED, 12)))(
  '%s fails %s again within seconds, and a mended server does not (seed %d)',
  async (defect, id, seed) => {
    expect(defectNamed(defect).must).toContain(id);
    const sequences = await found(defect, id, seed);
    const broken = await again(sequences, id, { defect });
    expect(broken).toMatchObject({ exitCode: 1, text: expect.stringContaining(`${id} still fails: `) });
    const mended = await again(sequences, id, { defect: null });
    expect(mended).toMatchObject({ exitCode: 0, text: expect.stringContaining('no longer fails') });
    expect(Math.max(broken.seconds, mended.seconds)).toBeLessThan(5);
  },
);

// What shows only after a minute, on the few budgets that are asked again and again.
const AFTER_A_WINDOW = [
  ['marker-five-seconds-early', 'HDR-7'],
  ['never-back', 'LIMIT-WINDOW'],
  ['refreshed-by-requests', 'LIMIT-WINDOW'],
  ['refreshed-by-refusals-unseen', 'LIMIT-WINDOW'],
] as const;

thorough.each(withSeeds(sampled(AFTER_A_WINDOW, 6)))(
  '%s fails %s again, and a mended server is told from it (seed %d)',
  isToldFromMended,
);

// In another window of the run, the polls stopped before a refusal showed the failure.
thorough('a mended server is told, as once not from the run with seed 633323541', async () => {
  await isToldFromMended('marker-five-seconds-early', 'HDR-7', 633323541);
});

// The last refusal of the sequence only just showed the failure, by where in a second the clocks ticked.
thorough('a server that is as it was is not said to be mended, as once with seed 875554018', async () => {
  await isToldFromMended('refreshed-by-requests', 'LIMIT-WINDOW', 875554018);
});

async function isToldFromMended(defect: string, id: RequirementId, seed: number): Promise<void> {
  const sequences = await found(defect, id, seed, 4);
  expect(await again(sequences, id, { defect })).toMatchObject({ exitCode: 1 });
  expect(await again(sequences, id, { defect: null })).toMatchObject({ exitCode: 0 });
}

const AS_IT_WAS = [
  ['malformed-json-500', 'STATUS-NO5XX'],
  ['never-refuses', 'STATUS-429'],
  ['header-in-words', 'HDR-2'],
  ['path-case', 'LIMIT-EVADE'],
  ['frozen-marker', 'HDR-7'],
] as const;

test.each(withSeeds(sampled(AS_IT_WAS, 10)))(
  '%s fails %s again in a server that is as it was (seed %d)',
  async (defect, id, seed) => {
    const sequences = await found(defect, id, seed);
    expect(await again(sequences, id, { defect })).toMatchObject({ exitCode: 1 });
  },
);

test.each(seeds())(
  'what comes now and then is not said to be mended where it does not come (seed %d)',
  async (seed) => {
    const { id, sequences } = await anyOf('sporadic-401', seed);
    expect(await again(sequences, id, { defect: null })).toMatchObject({
      exitCode: 3,
      text: expect.stringContaining('Run certify'),
    });
  },
);

// What these show, a sequence may have shown by chance, or by what was sent beside it.
const BY_CHANCE = [['sporadic-401'], ['fails-open'], ['operation-of-other-kind'], ['remaining-on-refusal']] as const;

test.each(withSeeds(sampled(BY_CHANCE, 6)))(
  '%s is never said to be mended where it is as it was (seed %d)',
  async (defect, seed) => {
    const { id, sequences } = await anyOf(defect, seed);
    const { exitCode } = await again(sequences, id, { defect, second: seed % 60 });
    expect([id, exitCode]).not.toEqual([id, 0]);
  },
);

thorough.each(seeds())('what was sent at the end of a window is as far from it again (seed %d)', async (seed) => {
  const sequences = await found('window-of-30-seconds', 'LIMIT-WINDOW', seed);
  for (const second of sampled([2, 15], 2)) {
    const { exitCode, seconds } = await again(sequences, 'LIMIT-WINDOW', { defect: 'window-of-30-seconds', second });
    expect([second, exitCode]).toEqual([second, 1]);
    expect(seconds).toBeLessThan(65);
  }
});

const SUBLIMITS = [['sublimit-of-an-operation'], ['sublimit-of-labels']] as const;

thorough.each(withSeeds(sampled(SUBLIMITS, 4)))(
  '%s fails HDR-5 again without waiting for a whole window (seed %d)',
  async (defect, seed) => {
    const { exitCode, seconds } = await again(await found(defect, 'HDR-5', seed), 'HDR-5', { defect });
    expect(exitCode).toBe(1);
    expect(seconds).toBeLessThan(15);
  },
);

thorough.each(seeds())('where a window is about to end, the next one is waited for (seed %d)', async (seed) => {
  const sequences = await found('limit-minus-one', 'LIMIT-R', seed);
  for (const second of [57, 59]) {
    const { exitCode, seconds } = await again(sequences, 'LIMIT-R', { defect: 'limit-minus-one', second });
    expect([second, exitCode]).toEqual([second, 1]);
    expect(seconds).toBeGreaterThan(60 - second);
    expect(seconds).toBeLessThan(65);
  }
});

thorough.each(seeds())('a key that has been used tells nothing (seed %d)', async (seed) => {
  const sequences = await found('limit-minus-one', 'LIMIT-R', seed);
  expect(await again(sequences, 'LIMIT-R', { defect: null, used: 40 })).toMatchObject({
    exitCode: 3,
    text: expect.stringMatching(/omebody else used key-\d/),
  });
});

// So few may be what the fault of a deployment leaves. One more left than there is, and one used before, look like a
// mended deployment.
const USED = [
  ['limit-minus-one', null, 2],
  ['limit-minus-one', 'limit-minus-one', 1],
  ['remaining-before-counting', null, 0],
] as const;

thorough.each(withSeeds(sampled(USED, 6)))(
  'a failure of %s on %s is left open where its keys may have been used %d times before (seed %d)',
  async (recorded, defect, used, seed) => {
    const id = recorded === 'limit-minus-one' ? 'LIMIT-R' : 'HDR-4';
    const sequences = await found(recorded, id, seed);
    expect(await again(sequences, id, { defect, used, isFull: false })).toMatchObject({
      exitCode: 3,
      text: expect.stringMatching(/omebody else used key-\d/),
    });
  },
);

test.each(seeds())(
  'an answer that stands for itself is asked for again with its control, and nothing else (seed %d)',
  async (seed) => {
    const [sequence] = await found('unknown-key-403', 'AUTH-5', seed);
    expect(sequence).toMatchObject({ pace: 'single' });
    expect(sequence && requestsOf(sequence)).toHaveLength(2);
  },
);

// What prepares a request drew on another key than before; a refused key told of another window; one let through by
// chance was taken for certain.
const MISTAKEN_ONCE = [
  ['one-for-all', 'LIMIT-KEY', 1001, [1]],
  ['one-for-all', 'LIMIT-KEY', 1010, [1]],
  ['fails-open', 'LIMIT-R', 72, [1, 3]],
] as const;

thorough.each(MISTAKEN_ONCE)(
  '%s is not said to be mended of %s, as once of the run with seed %d',
  async (defect, id, seed, codes) => {
    const sequences = await found(defect, id, seed, 4);
    expect(codes).toContain((await again(sequences, id, { defect })).exitCode);
  },
);
