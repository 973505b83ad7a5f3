import { expect, test } from 'vitest';
import { SECOND } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeMarkerOffsets } from './marker-offset.ts';
import { proposeTriggers } from './trigger.ts';

/** As a time zone that is taken for UTC puts it. */
const HOURS = 5 * 3600 * SECOND;

test.each([
  ['all answers', 'all', HOURS],
  ['refusals only', { statuses: [429] }, HOURS],
  ['refusals only', { statuses: [429] }, -HOURS],
  ['accepted requests only', { statuses: [200] }, 60 * SECOND],
] as const)('markers that lie some time from the ends of windows are found: on %s', async (_, only, offset) => {
  const deviation: Deviation = {
    operator: 'marker-header',
    parameters: { kinds: ['read', 'write'], change: { offset }, only },
  };
  const run = await runUnder([deviation], { name: 'anchored', wholeSecond: false });
  for (const kind of ['read', 'write'] as const) {
    expect(foundBy(proposeMarkerOffsets, kind, run)[0]?.deviations).toMatchObject([
      { parameters: { change: { offset }, only } },
    ]);
    // The end of no window is hours away, whatever moves it.
    if (Math.abs(offset) === HOURS) expect(foundBy(proposeTriggers, kind, run)).toEqual([]);
  }
});
