import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sampled } from '../../test/sampled.test-support.ts';
import { type Beginning, beginningOf, type FirstSentence, isAlike, RUNS, SHOWN } from './first-sentences.ts';

const recorded = JSON.parse(
  readFileSync(new URL('../../docs/first-sentences.json', import.meta.url), 'utf8'),
) as FirstSentence[];

test('the recorded sentences are those of two defects of each kind', () => {
  expect(recorded.map(({ component, defect }) => [component, defect])).toEqual(
    SHOWN.flatMap(([component, defects]) => defects.map((defect) => [component, defect])),
  );
});

// What some runs tell otherwise says the table itself. The whole table is made anew with each release.
const IN_TURN = recorded
  .flatMap((row, index) => (row.alike === RUNS ? [{ ...row, seed: 1 + (index % RUNS) }] : []))
  .filter((_, index) => index % 9 === 0);

test.each(sampled(IN_TURN, IN_TURN.length))(
  '$defect: the report begins as it was recorded, with seed $seed',
  async (row) => {
    const beginning = await beginningOf(row.defect, row.seed);
    expect(beginning).toSatisfy((each: Beginning) => isAlike(each, row));
  },
);
