import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import { SECOND } from '../../deployment/deployment.ts';
import type { MarkerHeader } from '../../deployment/deviations/marker-header.ts';
import { sentence } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeMarkerClocks, proposeRoundedMarkers } from './marker-clock.ts';

const ANCHORED = { name: 'anchored', wholeSecond: true } as const;
const BY_CLOCK = { name: 'grid', phase: 'process' } as const;

/** A run whose markers are changed so. */
function runWith(change: MarkerHeader['change'], mechanism: typeof ANCHORED | typeof BY_CLOCK) {
  const parameters = { kinds: ['read', 'write'], change, only: 'all' } as const;
  return runUnder([{ operator: 'marker-header', parameters }], mechanism);
}

test.each(
  sampled(
    [
      [30, 'windows end 30 s earlier'],
      [10, 'windows end 10 s earlier'],
      [-15, 'windows end 15 s later'],
    ],
    10,
  ),
)('minutes of a clock that end %i s after the windows are found', async (seconds, text) => {
  const run = await runWith({ clock: seconds * SECOND }, BY_CLOCK);
  for (const kind of ['read', 'write'] as const) {
    const [found] = foundBy(proposeMarkerClocks, kind, run);
    expect(found?.deviations).toMatchObject([{ parameters: { change: { clock: seconds * SECOND } } }]);
    expect(found?.deviations.map((each) => sentence(each)).join()).toContain(text);
  }
});

thorough('minutes of a clock are found where windows begin with requests', async () => {
  const run = await runWith({ clock: null }, ANCHORED);
  const [found] = foundBy(proposeMarkerClocks, 'read', run);
  expect(found?.deviations).toMatchObject([{ parameters: { change: { clock: null } } }]);
  expect(foundBy(proposeRoundedMarkers, 'read', run)).toEqual([]);
});

thorough('markers that are rounded to multiples of some number are found, and no others are', async () => {
  for (const kind of ['read', 'write'] as const) {
    const [found] = foundBy(proposeRoundedMarkers, kind, await runWith({ multiplesOf: 128 * SECOND }, ANCHORED));
    expect(found?.deviations).toMatchObject([{ parameters: { change: { multiplesOf: 128 * SECOND } } }]);
  }
  const late = await runWith({ offset: 5 * SECOND }, ANCHORED);
  expect([...foundBy(proposeRoundedMarkers, 'read', late), ...foundBy(proposeMarkerClocks, 'read', late)]).toEqual([]);
});

thorough('without a known clock of the server, no distance from the windows is told', async () => {
  const { budgets, anonymous } = await runWith({ clock: 30 * SECOND }, BY_CLOCK);
  const offset = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const untimed = budgets.map(({ history }) => ({ history: { ...history, offset } }));
  const found = foundBy(proposeMarkerClocks, 'read', { budgets: untimed, anonymous });
  expect(found.map(({ deviations }) => deviations)).toMatchObject([[{ parameters: { change: { clock: null } } }]]);
});
