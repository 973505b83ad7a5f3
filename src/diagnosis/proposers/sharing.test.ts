import { expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import { breaks, type Deviation } from '../../deployment/operators.ts';
import type { Proposer } from '../proposal.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { KEY_BLOCKS, proposeBudgetOfAnyone, proposeOneBudget } from './sharing.ts';

const either: Proposer = function* (world, context) {
  yield* proposeOneBudget(world, context);
  yield* proposeBudgetOfAnyone(world, context);
};

const sharing = (...blocks: readonly (readonly string[])[]): Deviation => {
  return { operator: 'shared-keys', parameters: { kinds: ['write'], blocks } };
};

test('a key that is hardly used, and fits alone, is found to share the budget of another', async () => {
  const shared = sharing(['key-1', 'restricted'], ['key-2', 'key-4']);
  const run = await runUnder([shared]);
  const found = KEY_BLOCKS.flatMap((proposer) => foundBy(proposer, 'write', run));
  expect(found[0]?.deviations).toEqual([shared]);
});

const SHARED = {
  kinds: ['read', 'write'],
  blocks: [['key-1', 'key-2', 'key-3', 'key-4', 'restricted']],
} as const;

test('a budget of all requests is one of all keys and of those without an accepted one', async () => {
  const anyone: Deviation = { operator: 'shared-keys', parameters: { ...SHARED, anyone: true } };
  const run = await runUnder([anyone]);
  for (const kind of ['read', 'write'] as const) {
    const [cheapest] = foundBy(either, kind, run);
    expect(cheapest?.deviations).toEqual([{ ...anyone, parameters: { ...anyone.parameters, kinds: [kind] } }]);
    expect(cheapest?.deviations.flatMap((each) => breaks(each))).toEqual(['LIMIT-KEY', 'LIMIT-ANON']);
  }
});

thorough('a budget of all keys is not told as one of all requests', async () => {
  const run = await runUnder([{ operator: 'shared-keys', parameters: SHARED }]);
  for (const kind of ['read', 'write'] as const) {
    expect(foundBy(either, kind, run)[0]?.deviations.flatMap((each) => breaks(each))).toEqual(['LIMIT-KEY']);
    // What is answered 401 while the budget is spent does not draw on it.
    expect(foundBy(proposeBudgetOfAnyone, kind, run)).toEqual([]);
  }
});
