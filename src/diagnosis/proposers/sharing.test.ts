import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { KEY_BLOCKS } from './sharing.ts';

const sharing = (...blocks: readonly (readonly string[])[]): Deviation => {
  return { operator: 'shared-keys', parameters: { kinds: ['write'], blocks } };
};

test('a key that is hardly used, and fits alone, is found to share the budget of another', async () => {
  const shared = sharing(['key-1', 'restricted'], ['key-2', 'key-4']);
  const run = await runUnder([shared]);
  const found = KEY_BLOCKS.flatMap((proposer) => foundBy(proposer, 'write', run));
  expect(found[0]?.deviations).toEqual([shared]);
});
