import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sampled } from '../../test/sampled.test-support.ts';
import { type FirstSentence, firstSentence, SHOWN } from './first-sentences.ts';

const recorded = JSON.parse(
  readFileSync(new URL('../../docs/first-sentences.json', import.meta.url), 'utf8'),
) as FirstSentence[];

test('the recorded sentences are those of two defects of each kind', () => {
  expect(recorded.map(({ component, defect }) => [component, defect])).toEqual(
    SHOWN.flatMap(([component, defects]) => defects.map((defect) => [component, defect])),
  );
});

test.each(sampled(recorded, 7))('$defect: the report begins as it was recorded', async (row) => {
  expect(await firstSentence(row.component, row.defect)).toEqual(row);
});
