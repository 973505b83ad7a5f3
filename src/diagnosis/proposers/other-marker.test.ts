import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import { foundBy, runOfDraw, runUnder } from './deviating-world.test-support.ts';
import { proposeOtherMarkers } from './other-marker.ts';

test('a marker that is the end of the other kind’s window is found, and only on the kind that has it', async () => {
  const parameters = { kinds: ['write'], change: 'other kind', only: 'all' } as const;
  const wrong: Deviation = { operator: 'marker-header', parameters };
  const run = await runUnder([wrong], { name: 'anchored', wholeSecond: false });
  expect(foundBy(proposeOtherMarkers, 'write', run)[0]?.deviations).toEqual([wrong]);
});

test('counters that a restart loses leave each kind its own windows', async () => {
  expect(foundBy(proposeOtherMarkers, 'read', await runOfDraw('counters-lost', 290152))).toEqual([]);
});
