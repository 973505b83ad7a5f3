import { expect, test } from 'vitest';
import { SECOND } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { diagnoseRun } from '../run.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeMarkerOffsets } from './marker-offset.ts';

const ANCHORED = { name: 'anchored', wholeSecond: false } as const;
const BY_CLOCK = { name: 'grid', phase: 'process' } as const;

/** Markers that lie so many seconds after the ends of windows. */
function later(seconds: number): Deviation {
  const change = { offset: seconds * SECOND };
  return { operator: 'marker-header', parameters: { kinds: ['read', 'write'], change, only: 'all' } };
}

test.each([
  [8, ANCHORED],
  [13, ANCHORED],
  [-7, ANCHORED],
  [3600, BY_CLOCK],
  [-60, BY_CLOCK],
] as const)('markers that lie %i s after the end are said to do so', async (seconds, mechanism) => {
  const run = await runUnder([later(seconds)], mechanism);
  for (const kind of ['read', 'write'] as const) {
    const [found] = foundBy(proposeMarkerOffsets, kind, run);
    expect(found?.deviations).toMatchObject([{ parameters: { change: { offset: seconds * SECOND } } }]);
  }
});

test('that markers of some keys are late is told of both kinds, though no rule would explain any marker', async () => {
  const keys = ['key-2', 'key-4'];
  const { budgets, anonymous } = await runUnder([{ ...later(8), keys }], ANCHORED);
  const { kinds } = diagnoseRun(
    budgets.map(({ history }) => history),
    anonymous,
  );
  expect(kinds.map(({ minimal }) => minimal.map(({ deviations }) => deviations.map((each) => each.keys)))).toEqual([
    [[keys]],
    [[keys]],
  ]);
});
