import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import { diagnoseRun } from '../run.ts';
import { runUnder } from './deviating-world.test-support.ts';

test('what one kind shows to be exempt is exempt of the other, and is not counted there either', async () => {
  const exempt: Deviation = {
    operator: 'finer-scope',
    parameters: {
      ...{ kinds: ['read', 'write'], attribute: 'group', blocks: [], exempt: ['labels'], others: 'together' },
      exemptHeaders: 'of the others',
    },
  };
  const also: Deviation = { operator: 'shared-kinds', parameters: { how: 'writes count as reads too' } };
  const run = await runUnder([exempt, also], { name: 'anchored', wholeSecond: false });
  const { kinds } = diagnoseRun(
    run.budgets.map(({ history }) => history),
    run.anonymous,
  );
  const told = kinds.map(({ minimal: [first] }) => first?.deviations.map(({ operator }) => operator));
  expect(told).toEqual([['finer-scope', 'shared-kinds'], ['finer-scope']]);
});
