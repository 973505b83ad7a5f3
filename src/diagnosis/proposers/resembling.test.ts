import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeResembling } from './resembling.ts';

const charged: Deviation = {
  operator: 'anonymous-charged',
  parameters: { which: 'bad key', to: { chosen: 'resembling' } },
};

test('bad keys that are charged to the keys that they resemble are found, though not all of them are', async () => {
  const run = await runUnder([charged]);
  for (const kind of ['read', 'write'] as const) {
    expect(foundBy(proposeResembling, kind, run)[0]?.deviations).toEqual([charged]);
  }
});

test('where bad keys are charged to nobody, nothing is made of them', async () => {
  const run = await runUnder([{ operator: 'class-weight', parameters: CREATED_TWICE }]);
  expect(foundBy(proposeResembling, 'write', run)).toEqual([]);
});

const CREATED_TWICE = { kinds: ['write'], attribute: 'operation', classes: ['create-label'], weight: 2 } as const;
