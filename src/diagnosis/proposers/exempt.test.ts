import { expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Proposer } from '../proposal.ts';
import { diagnoseRun } from '../run.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { exemptLike, withoutExempt } from './exempt.ts';

const exempt: Deviation = {
  operator: 'finer-scope',
  parameters: {
    ...{ kinds: ['read', 'write'], attribute: 'group', blocks: [], exempt: ['labels'], others: 'together' },
    exemptHeaders: 'of the others',
  },
};

test('what one kind shows to be exempt explains the other kind as well', async () => {
  const run = await runUnder([exempt], { name: 'anchored', wholeSecond: false });
  const like: Proposer = (world, { kind }) => exemptLike(world, kind, [[exempt]]);
  for (const kind of ['read', 'write'] as const) {
    expect(foundBy(like, kind, run)[0]?.deviations).toEqual([
      { ...exempt, parameters: { ...exempt.parameters, kinds: [kind] } },
    ]);
  }
  const left = withoutExempt(
    [exempt],
    run.budgets.map(({ history }) => history),
  );
  expect(left.some(({ events }) => events.some(({ exchange }) => exchange.group === 'labels'))).toBe(false);
});

thorough('what is exempt is not counted on the other kind either', async () => {
  const also: Deviation = { operator: 'shared-kinds', parameters: { how: 'writes count as reads too' } };
  const run = await runUnder([exempt, also], { name: 'anchored', wholeSecond: false });
  const { kinds } = diagnoseRun(
    run.budgets.map(({ history }) => history),
    run.anonymous,
  );
  const told = kinds.map(({ minimal: [first] }) => first?.deviations.map(({ operator }) => operator));
  expect(told).toEqual([['finer-scope', 'shared-kinds'], ['finer-scope']]);
});
