import { expect, test } from 'vitest';
import type { Mechanism } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Kind } from '../../trace/exchange.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeSharedClasses } from './sharing-class.ts';

const KEYS = ['key-1', 'key-2', 'key-3', 'key-4', 'restricted'];

const together = (
  attribute: 'credential' | 'operation',
  name: string,
  ...kinds: readonly Kind[]
): Extract<Deviation, { operator: 'shared-keys' }> => {
  const only = { attribute, classes: [name] };
  return { operator: 'shared-keys', parameters: { kinds, blocks: [KEYS], only } };
};

test.each<readonly [Kind, 'credential' | 'operation', string, Mechanism]>([
  ['read', 'credential', 'bearer', { name: 'grid', phase: 'process' }],
  ['write', 'credential', 'bearer', { name: 'anchored', wholeSecond: false }],
  ['read', 'operation', 'get-label', { name: 'grid', phase: 'process' }],
])('%ss of one %s (%s) that share a budget whatever their key are found under %j', async (...row) => {
  const [kind, attribute, name, mechanism] = row;
  const run = await runUnder([together(attribute, name, 'read', 'write')], mechanism);
  const [found] = foundBy(proposeSharedClasses, kind, run);
  const [deviation] = found?.deviations ?? [];
  expect(deviation?.operator === 'shared-keys' && deviation.parameters.only).toEqual({ attribute, classes: [name] });
});

test('where every request of two keys shares a budget, no class of them explains it', async () => {
  const shared: Deviation = {
    operator: 'shared-keys',
    parameters: { kinds: ['read'], blocks: [['key-1', 'key-2']] },
  };
  expect(foundBy(proposeSharedClasses, 'read', await runUnder([shared]))).toEqual([]);
});
