import { expect, test } from 'vitest';
import { thorough } from '../../test/sampled.test-support.ts';
import type { Deviation } from '../deployment/operators.ts';
import { runUnder } from './proposers/deviating-world.test-support.ts';
import { diagnoseRun } from './run.ts';
import { forSomeKeys } from './some-keys.ts';
import { conformingWorld, isDecided } from './world.ts';

thorough('the counts of one key may be lost by themselves', async () => {
  const lost: Deviation = {
    operator: 'counters-lost',
    parameters: { kinds: ['write'], at: 63_000_000 },
    keys: ['key-2'],
  };
  const { budgets, anonymous } = await runUnder([lost]);
  const of = (kind: 'read' | 'write') =>
    budgets.flatMap(({ history }) => (history.kind === kind && history.events.length > 0 ? [history] : []));
  const world = conformingWorld(of('write'));
  const asked = { kind: 'write', otherKind: of('read'), anonymous, likely: world.shapes, background: null } as const;
  const found = forSomeKeys(world, { ...asked, most: 1_200_000, dearest: 40 });
  expect(found.map(({ deviations: [deviation] }) => deviation)).toContainEqual(
    expect.objectContaining({ operator: 'counters-lost', keys: ['key-2'] }),
  );
});

test('nothing holds for one key only if no request of another was let through or refused', async () => {
  const lost: Deviation = { operator: 'counters-lost', parameters: { kinds: ['write'], at: 63_000_000 } };
  const { budgets, anonymous } = await runUnder([lost]);
  const of = (kind: 'read' | 'write') =>
    budgets.flatMap(({ history }) => (history.kind === kind && history.events.length > 0 ? [history] : []));
  const world = conformingWorld(of('write').filter(({ key }) => key === 'key-2' || key === 'restricted'));
  expect(world.histories.map(({ events }) => events.some(isDecided))).toEqual([true, false]);
  const asked = { kind: 'write', otherKind: of('read'), anonymous, likely: world.shapes, background: null } as const;
  expect(forSomeKeys(world, { ...asked, most: 1_200_000, dearest: 40 })).toEqual([]);
});

const RAISED = [
  ['key-2', 1],
  ['key-3', 2],
] as const;

thorough.each(RAISED)(
  'a Remaining that is wrong on one key is no late one, and no loss of counts: %s, %i',
  async (key, offset) => {
    const only = { statuses: [200, 400, 403, 404, 500] };
    const raised: Deviation = {
      operator: 'remaining-header',
      parameters: { kinds: ['read'], change: { offset }, only },
      keys: [key],
    };
    const { budgets, anonymous } = await runUnder([raised]);
    const { kinds } = diagnoseRun(
      budgets.flatMap(({ history }) => (history.events.length > 0 ? [history] : [])),
      anonymous,
    );
    expect(kinds.map(({ minimal: [first] }) => first?.deviations ?? [])).toEqual([[raised], []]);
  },
);
