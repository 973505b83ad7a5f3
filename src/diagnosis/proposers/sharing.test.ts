import { expect, test } from 'vitest';
import { breaks, type Deviation } from '../../deployment/operators.ts';
import { diagnoseRun } from '../run.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { KEY_BLOCKS, proposeBudgetOfAnyone } from './sharing.ts';

const sharing = (...blocks: readonly (readonly string[])[]): Deviation => {
  return { operator: 'shared-keys', parameters: { kinds: ['write'], blocks } };
};

test('a key that is hardly used, and fits alone, is found to share the budget of another', async () => {
  const shared = sharing(['key-1', 'restricted'], ['key-2', 'key-4']);
  const run = await runUnder([shared]);
  const found = KEY_BLOCKS.flatMap((proposer) => foundBy(proposer, 'write', run));
  expect(found[0]?.deviations).toEqual([shared]);
});

test('a budget of all requests is told from one of all keys', async () => {
  const blocks = [['key-1', 'key-2', 'key-3', 'key-4', 'restricted']];
  for (const anyone of [{ anyone: true }, {}] as const) {
    const deviation: Deviation = {
      operator: 'shared-keys',
      parameters: { kinds: ['read', 'write'], blocks, ...anyone },
    };
    const run = await runUnder([deviation]);
    if (anyone.anyone)
      expect(foundBy(proposeBudgetOfAnyone, 'read', run)[0]?.deviations).toMatchObject([{ parameters: anyone }]);
    const { kinds } = diagnoseRun(
      run.budgets.map(({ history }) => history),
      run.anonymous,
    );
    const told = kinds.map(({ minimal: [first] }) => first?.deviations.flatMap((one) => breaks(one)));
    expect(told).toEqual(Array(2).fill(anyone.anyone ? ['LIMIT-KEY', 'LIMIT-ANON'] : ['LIMIT-KEY']));
  }
});
