import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeOpenings } from './opening.ts';

const race = (when: 'always' | 'window is made'): Deviation => ({
  operator: 'lost-updates',
  parameters: { kinds: ['read', 'write'], gap: 5000, when },
});

test.each(['read', 'write'] as const)('%ss that open a window at once and count as one are found', async (kind) => {
  const [found] = foundBy(proposeOpenings, kind, await runUnder([race('window is made')]));
  expect(found?.deviations).toMatchObject([{ operator: 'lost-updates', parameters: { when: 'window is made' } }]);
});

test('requests that overwrite each other’s count at any time do more than that', async () => {
  const run = await runUnder([race('always')]);
  for (const kind of ['read', 'write'] as const) expect(foundBy(proposeOpenings, kind, run)).toEqual([]);
});
