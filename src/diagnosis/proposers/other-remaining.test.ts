import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import type { Mechanism } from '../../deployment/deployment.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeOtherRemaining } from './other-remaining.ts';

thorough.each([
  [['write'], 'all'],
  [['read', 'write'], { statuses: [400] }],
  [['write'], { statuses: [400, 403, 404, 500] }],
] as const)('Remaining of %j that is that of the other kind is found on these answers: %j', async (kinds, only) => {
  const parameters = { kinds, change: 'other kind', only } as const;
  const run = await runUnder([{ operator: 'remaining-header', parameters }], {
    name: 'anchored',
    wholeSecond: false,
  });
  const told = kinds.flatMap((kind) => foundBy(proposeOtherRemaining, kind, run).slice(0, 1));
  expect(told.flatMap(({ deviations }) => deviations)).toMatchObject(
    kinds.map((kind) => ({ parameters: { kinds: [kind], change: 'other kind' } })),
  );
});

test.each<Mechanism>(
  sampled(
    [
      { name: 'anchored', wholeSecond: false },
      { name: 'grid', phase: 'process' },
    ],
    3,
  ),
)('Remaining that is the lower number of both kinds is found under %j', async (mechanism) => {
  const parameters = { kinds: ['read', 'write'], change: 'lower of both kinds', only: 'all' } as const;
  const run = await runUnder([{ operator: 'remaining-header', parameters }], mechanism);
  for (const kind of parameters.kinds) {
    const [found] = foundBy(proposeOtherRemaining, kind, run);
    expect(found?.deviations).toMatchObject([{ parameters: { ...parameters, kinds: [kind] } }]);
  }
});

test('what is left of its own kind is not taken for that of the other', async () => {
  const run = await runUnder([], { name: 'anchored', wholeSecond: false });
  const found = (['read', 'write'] as const).flatMap((kind) => foundBy(proposeOtherRemaining, kind, run));
  expect(found).toEqual([]);
});
