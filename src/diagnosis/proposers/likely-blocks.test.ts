import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import { inShare } from '../share.ts';
import { conformingWorld } from '../world.ts';
import { runUnder } from './deviating-world.test-support.ts';
import { proposeLikelyBlocks } from './likely-blocks.ts';
import { KEY_BLOCKS } from './sharing.ts';

const BLOCKS = [
  ['key-1', 'key-3'],
  ['key-2', 'key-4'],
];
const inPairs: Deviation = { operator: 'shared-keys', parameters: { kinds: ['read', 'write'], blocks: BLOCKS } };
const countedTwice: Deviation = {
  operator: 'class-weight',
  parameters: { kinds: ['read', 'write'], attribute: 'group', classes: ['labels'], weight: 2 },
};

test('keys that share a budget are found where something else is wrong, too', async () => {
  const { budgets } = await runUnder([inPairs, countedTwice]);
  const histories = budgets.map(({ history }) => history).filter(({ events }) => events.length > 0);
  const world = conformingWorld(histories.filter(({ kind }) => kind === 'read'));
  const question = { kind: 'read', otherKind: [], anonymous: [], likely: world.shapes, background: null } as const;
  const found = [proposeLikelyBlocks, ...KEY_BLOCKS].map((proposer) => {
    const proposed: unknown[] = [];
    inShare(5_000_000, question, (own) => {
      for (const { deviations } of proposer(world, own)) proposed.push(deviations[0]?.parameters);
    });
    return proposed;
  });
  expect(found[0]).toContainEqual({ kinds: ['read'], blocks: BLOCKS });
  // What explains the run whole finds none.
  expect(found.slice(1)).toEqual([[], []]);
});
