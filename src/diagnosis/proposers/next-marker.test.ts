import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import { ANCHORED, failed, GRID, verdictsOn } from '../../accuracy/virtual/situation.test-support.ts';
import { SECOND } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Kind } from '../../trace/exchange.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeRoundedMarkers } from './marker-clock.ts';
import { proposeNextMarkers } from './next-marker.ts';

const BOTH = ['read', 'write'] as const;
const BY_MINUTES = { name: 'grid', phase: 'clock' } as const;

/** Markers that tell of the next window so many seconds before a window ends. */
function early(seconds: number, kinds: readonly Kind[] = BOTH): Deviation {
  const change = { lag: seconds * SECOND };
  return { operator: 'marker-header', parameters: { kinds, change, only: 'all' } };
}

/** How long before the end, according to the deviation, in µs. */
function lagOf(deviation: Deviation | undefined): number {
  const change = deviation?.operator === 'marker-header' ? deviation.parameters.change : null;
  return typeof change === 'object' && change !== null && 'lag' in change ? change.lag : Number.NaN;
}

/** For so long, requests of such a run leave the end of a window unseen, in µs. */
const UNCERTAIN = 3 * SECOND;

test.each(
  sampled(
    [
      [4, BY_MINUTES],
      [11, GRID],
      [7, ANCHORED],
    ] as const,
    10,
  ),
)('markers of the next window in the last %i s of each are known, with windows %o', async (seconds, mechanism) => {
  const run = await runUnder([early(seconds)], mechanism);
  for (const kind of BOTH) {
    const [deviation] = foundBy(proposeNextMarkers, kind, run)[0]?.deviations ?? [];
    expect(deviation?.operator).toBe('marker-header');
    expect(Math.abs(lagOf(deviation) - seconds * SECOND)).toBeLessThanOrEqual(UNCERTAIN);
  }
});

thorough('minutes of the clock, told a minute early, are not rounded on their way', async () => {
  expect(foundBy(proposeRoundedMarkers, 'read', await runUnder([early(4)], BY_MINUTES))).toEqual([]);
});

thorough('no marker tells of the next window where all are right', async () => {
  for (const mechanism of [BY_MINUTES, ANCHORED]) {
    expect(foundBy(proposeNextMarkers, 'read', await runUnder([], mechanism))).toEqual([]);
  }
});

thorough('the report says from when on markers tell of the next window', async () => {
  const deviations = [early(5, ['read'])];
  const verdicts = await verdictsOn({ mechanism: BY_MINUTES, keys: 3, deviations });
  expect(verdicts.filter(({ verdict }) => verdict === 'fail')).toMatchObject([
    {
      id: 'HDR-7',
      summary: expect.stringMatching(
        /^X-RateLimit-Reset is that of the next window in about the last \d s of each window on reads\.$/,
      ),
    },
  ]);
  expect(await failed({ mechanism: ANCHORED, deviations: [early(9)] })).toEqual(['HDR-7']);
});
