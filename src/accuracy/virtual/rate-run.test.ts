import { describe, expect, test } from 'vitest';
import type { Judgement } from '../../judge/judgement.ts';
import { drawRun } from './draw-run.ts';
import { randomTable, summariseRandom } from './random-table.ts';
import { isFalseFailure, type RandomOutcome, rateRun } from './rate-run.ts';

type Verdict = 'fail' | 'inconclusive' | 'pass';

function judgement(verdicts: Readonly<Record<string, Verdict>>): Judgement {
  return { verdicts: Object.entries(verdicts).map(([id, verdict]) => ({ id, verdict })) } as unknown as Judgement;
}

/** A draw that breaks LIMIT-R alone. */
const DEVIATING = {
  ...drawRun('one deviation', 1, 'sporadic-weight'),
  broken: ['LIMIT-R'],
  mayFollow: ['HDR-4'],
} as const;
const CONFORMING = drawRun('conforming', 1);
const EXACT = judgement({ 'LIMIT-R': 'fail', 'HDR-4': 'pass' });

describe('a deployment that deviates', () => {
  test.each<readonly [Readonly<Record<string, Verdict>>, Partial<RandomOutcome>]>([
    [{ 'LIMIT-R': 'fail' }, { named: true, wrong: [], passed: [], refutedExactly: true }],
    [
      { 'LIMIT-R': 'fail', 'HDR-4': 'fail' },
      { named: true, wrong: [] },
    ],
    [
      { 'LIMIT-R': 'fail', 'HDR-8': 'fail' },
      { named: false, wrong: ['HDR-8'] },
    ],
    [{ 'HDR-4': 'fail' }, { named: false, wrong: [] }],
    [{ 'LIMIT-R': 'inconclusive' }, { named: false, inconclusive: ['LIMIT-R'], passed: [] }],
    [{ 'LIMIT-R': 'pass' }, { named: false, passed: ['LIMIT-R'] }],
  ])('of which %j is said', (said, rated) => {
    expect(rateRun(DEVIATING, judgement(said), EXACT, 1)).toMatchObject(rated);
  });

  test('is no miss where exact moments do not show it', () => {
    const outcome = rateRun(DEVIATING, judgement({ 'LIMIT-R': 'pass' }), judgement({ 'LIMIT-R': 'pass' }), 1);
    expect(outcome).toMatchObject({ refutedExactly: false, passed: [] });
  });

  test('from outside has no right name, and none that is wrong', () => {
    const outcome = rateRun(drawRun('from outside', 1), judgement({ 'LIMIT-KEY': 'fail' }), EXACT, 1);
    expect(outcome).toMatchObject({ wrong: [], refutedExactly: true });
  });
});

test.each<readonly [Readonly<Record<string, Verdict>>, boolean]>([
  [{ 'LIMIT-R': 'pass' }, false],
  [{ 'LIMIT-R': 'inconclusive' }, false],
  [{ 'LIMIT-R': 'fail' }, true],
])('where nothing deviates, %j is a false failure: %s', (said, expected) => {
  expect(isFalseFailure(rateRun(CONFORMING, judgement(said), null, 1))).toBe(expected);
});

test('the table counts what exact moments refute, and names the seeds of what went wrong', () => {
  const missed = { ...rateRun(DEVIATING, judgement({}), EXACT, 3), seed: 8 };
  const named = rateRun(DEVIATING, judgement({ 'LIMIT-R': 'fail' }), EXACT, 1);
  const alarm = { ...rateRun(CONFORMING, judgement({ 'HDR-7': 'fail' }), null, 1), seed: 9 };
  const accuracy = summariseRandom(7, [missed, named, alarm]);
  expect(accuracy).toMatchObject({ runs: 3, conforming: 1, falseFailures: [9], seconds: { most: 3 } });
  const [row] = accuracy.rows;
  expect(row).toMatchObject({ name: 'sporadic-weight', drawn: 2, refutedExactly: 2, refuted: 1, named: 1, seeds: [8] });
  const rest = summariseRandom(7, [named, { ...named, seed: 10, deviations: [], named: false, refutedExactly: false }]);
  expect(rest.rows.find(({ name }) => name === 'any one deviation')).toMatchObject({ drawn: 1 });
  const table = randomTable(accuracy);
  expect(table).toContain('**1 false failures** (seeds 9)');
  expect(table).toContain('| sporadic-weight | 2 | 2 | 1 (50.0 %) | 1 (50.0 %) | 0 (0.0 %) | 0 | 8 |');
  expect(randomTable(rest)).toContain('sporadic-weight 1/1, any one deviation 1/1');
});
