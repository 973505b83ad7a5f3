import { expect, test } from 'vitest';
import type { Mechanism } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Kind } from '../../trace/exchange.ts';
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

test('where two keys share a budget, connections do not explain it', async () => {
  const shared: Deviation = {
    operator: 'shared-keys',
    parameters: { kinds: ['read'], blocks: [['key-1', 'key-2']] },
  };
  expect(foundBy(proposeConnections, 'read', await runUnder([shared]))).toEqual([]);
});
