import { expect, test } from 'vitest';
import type { Mechanism } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Kind } from '../../trace/exchange.ts';
import type { SearchContext } from '../proposal.ts';
import { conformingWorld } from '../world.ts';
import { proposeConnections } from './connection.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';

const firstKey = (...kinds: readonly Kind[]): Deviation => {
  return { operator: 'shared-keys', parameters: { kinds, blocks: 'of the connection' } };
};

test.each<readonly [Kind, Mechanism]>([
  ['read', { name: 'grid', phase: 'process' }],
  ['write', { name: 'anchored', wholeSecond: false }],
])('%ss that are charged to the first key of their connection are found under %j', async (kind, mechanism) => {
  const run = await runUnder([firstKey('read', 'write')], mechanism);
  expect(foundBy(proposeConnections, kind, run)[0]?.deviations).toEqual([firstKey(kind)]);
});

test('nothing is proposed where all requests were sent on one connection, as records of load tell no connections', async () => {
  const { budgets, anonymous } = await runUnder([]);
  const oneConnection = budgets.map(({ history }) => ({
    history: {
      ...history,
      events: history.events.map((event) => ({ ...event, exchange: { ...event.exchange, connection: 1 } })),
    },
  }));
  const proposed = (run: Parameters<typeof foundBy>[2]) => {
    const histories = run.budgets.map(({ history }) => history);
    const [own, otherKind] = (['read', 'write'] as const).map((kind) => histories.filter((each) => each.kind === kind));
    const question = { kind: 'read', otherKind: otherKind ?? [], anonymous } as unknown as SearchContext;
    return [...proposeConnections(conformingWorld(own ?? []), question)].length;
  };
  expect(proposed({ budgets: oneConnection, anonymous })).toBe(0);
  expect(proposed({ budgets, anonymous })).toBe(1);
});

test('where two keys share a budget, connections do not explain it', async () => {
  const shared: Deviation = {
    operator: 'shared-keys',
    parameters: { kinds: ['read'], blocks: [['key-1', 'key-2']] },
  };
  expect(foundBy(proposeConnections, 'read', await runUnder([shared]))).toEqual([]);
});
