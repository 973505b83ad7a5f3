import { expect, test } from 'vitest';
import type { Deviation } from '../deployment/operators.ts';
import type { Kind } from '../trace/exchange.ts';
import { bitsInCommon, mostShared } from './shared-bits.ts';

const nodes = (kind: Kind, many: number, routing: 'at random' | 'by connection'): Deviation => ({
  operator: 'nodes-apart',
  parameters: { kinds: [kind], nodes: many, sync: null, routing },
});

test('a rule by which requests reach nodes is stated once for both kinds', () => {
  const [reads, writes] = [nodes('read', 3, 'by connection'), nodes('write', 3, 'by connection')];
  expect(bitsInCommon([reads], [writes])).toBe(mostShared([reads]));
  expect(bitsInCommon([reads], [writes])).toBeGreaterThan(
    bitsInCommon([nodes('read', 3, 'at random')], [nodes('write', 3, 'at random')]),
  );
});

test('what only one kind has saves nothing', () => {
  expect(bitsInCommon([nodes('read', 3, 'by connection')], [nodes('write', 2, 'by connection')])).toBe(0);
  expect(bitsInCommon([nodes('read', 3, 'by connection')], [])).toBe(0);
});

test('which requests have a budget apart is stated once for both kinds', () => {
  const apart = (kind: Kind, attribute: 'group' | 'connection', blocks: readonly (readonly string[])[]): Deviation => ({
    operator: 'finer-scope',
    parameters: { kinds: [kind], attribute, blocks, exempt: [], others: 'apart', exemptHeaders: 'of the others' },
  });
  const shared = (...of: readonly ['group' | 'connection', readonly (readonly string[])[]]): number =>
    bitsInCommon([apart('read', ...of)], [apart('write', ...of)]);
  expect(shared('connection', [])).toBeGreaterThan(shared('group', []));
  expect(shared('group', [['labels'], ['categories', 'service']])).toBe(shared('group', []) + 3);
});
