import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import { SECOND } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Kind } from '../../trace/exchange.ts';
import { diagnoseRun } from '../run.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeMarkerOffsets } from './marker-offset.ts';
import { proposeTriggers } from './trigger.ts';

const ANCHORED = { name: 'anchored', wholeSecond: false } as const;
const BY_CLOCK = { name: 'grid', phase: 'process' } as const;

/** Markers that lie so many seconds after the ends of windows. */
function later(seconds: number): Deviation {
  const change = { offset: seconds * SECOND };
  return { operator: 'marker-header', parameters: { kinds: ['read', 'write'], change, only: 'all' } };
}

test.each(
  sampled(
    [
      [8, ANCHORED],
      [13, ANCHORED],
      [-7, ANCHORED],
      [3600, BY_CLOCK],
      [-60, BY_CLOCK],
    ] as const,
    20,
  ),
)('markers that lie %i s after the end are said to do so', async (seconds, mechanism) => {
  const run = await runUnder([later(seconds)], mechanism);
  for (const kind of ['read', 'write'] as const) {
    // A rounder time may explain one kind as well.
    const found = foundBy(proposeMarkerOffsets, kind, run).flatMap(({ deviations }) => deviations);
    expect(found).toContainEqual({ ...later(seconds), parameters: { ...later(seconds).parameters, kinds: [kind] } });
  }
});

test('where it is open when windows end, markers off by about a time zone are off by just that', async () => {
  const { budgets, anonymous } = await runUnder([later(-19_800)], BY_CLOCK);
  const start = budgets.map(({ history }) => ({
    history: { ...history, events: history.events.filter(({ from }) => from < 20 * SECOND) },
  }));
  const [found] = foundBy(proposeMarkerOffsets, 'read', { budgets: start, anonymous });
  expect(found?.deviations).toMatchObject([{ parameters: { change: { offset: -19_800 * SECOND } } }]);
});

thorough('markers of refusals alone tell by how much they are late, beside those of other answers', async () => {
  const change = { offset: 7 * SECOND };
  const only = { statuses: [429] };
  const late: Deviation = { operator: 'marker-header', parameters: { kinds: ['write'], change, only } };
  const [found] = foundBy(proposeMarkerOffsets, 'write', await runUnder([late], BY_CLOCK));
  expect(found?.deviations).toMatchObject([{ parameters: { change, only } }]);
});

test('markers that differ from those around them by status are wrong there, and no window moves', async () => {
  const change = { offset: 3 * SECOND };
  const only = { statuses: [404] };
  const late: Deviation = { operator: 'marker-header', parameters: { kinds: ['write'], change, only } };
  const run = await runUnder([late], BY_CLOCK);
  const [found] = foundBy(proposeMarkerOffsets, 'write', run);
  expect(found?.deviations).toMatchObject([{ parameters: { change, only } }]);
  // An end that no marker tells would show in what is counted.
  const moved = foundBy(proposeTriggers, 'write', run).flatMap(({ deviations }) => deviations);
  expect(moved.filter(({ parameters }) => 'told' in parameters && parameters.told === false)).toEqual([]);
});

const ASKED: readonly (readonly Kind[])[] = [['write'], ['read', 'write']];

thorough.each(ASKED.map((kinds) => [kinds]))(
  'that markers of some keys are late is told of %j, though no rule would explain any marker',
  async (asked) => {
    const keys = ['key-2', 'key-4'];
    const { budgets, anonymous } = await runUnder([{ ...later(8), keys }], ANCHORED);
    const histories = budgets.map(({ history }) => history).filter(({ kind }) => asked.includes(kind));
    const { kinds } = diagnoseRun(histories, anonymous);
    expect(kinds.map(({ minimal }) => minimal.map(({ deviations }) => deviations.map((each) => each.keys)))).toEqual(
      asked.map(() => [[keys]]),
    );
  },
);
