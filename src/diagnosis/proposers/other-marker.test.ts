import { expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { foundBy, runOfDraw, runUnder } from './deviating-world.test-support.ts';
import { proposeOtherMarkers } from './other-marker.ts';

test.each(['read', 'write'] as const)(
  'a marker of %ss that is the end of the other kind’s window is found, or where it has none, a minute from then',
  async (kind) => {
    const parameters = { kinds: [kind], change: 'other kind', only: 'all' } as const;
    const wrong: Deviation = { operator: 'marker-header', parameters };
    const run = await runUnder([wrong], { name: 'anchored', wholeSecond: false });
    expect(foundBy(proposeOtherMarkers, kind, run)[0]?.deviations).toEqual([wrong]);
  },
);

test('counters that a restart loses leave each kind its own windows', async () => {
  expect(foundBy(proposeOtherMarkers, 'read', await runOfDraw('counters-lost', 290152))).toEqual([]);
});

thorough(
  'markers that two nodes state by turns are not those of the other kind, though no clock is known',
  async () => {
    const parameters = { kinds: ['read', 'write'], change: { wobble: 7_000_000 }, only: 'all' } as const;
    const run = await runUnder([{ operator: 'marker-header', parameters }]);
    const offset = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
    const budgets = run.budgets.map(({ history }) => ({ history: { ...history, offset } }));
    expect(foundBy(proposeOtherMarkers, 'read', { ...run, budgets })).toEqual([]);
  },
);
