import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Split, shareOfNode, toldOfShare } from '../../deployment/deviations/nodes-apart.ts';
import type { Event, History } from '../../oracle/history.ts';
import { hold } from '../explained.ts';
import { conformingWorld } from '../world.ts';
import { contextOf } from './context.test-support.ts';
import { proposeNodes } from './nodes.ts';
import { splitsOf } from './split-limit.ts';

/** One accepted request after the other, with what is told after each. */
function historyOf(told: readonly number[], limit: number): History {
  const events = told.map((remaining, seq) => ({
    exchange: { seq, connection: seq },
    ...{ from: seq * 1000, to: seq * 1000 + 500, outcome: 'accepted', group: '', remaining, reset: null },
  }));
  return {
    ...{ key: 'key-1', kind: 'read', limit, shown: limit, unit: null, offset: { low: 0, high: 0 } },
    ...{ events: events as unknown as readonly Event[], until: Number.POSITIVE_INFINITY },
  };
}

const SPLITS = fc.record({
  rounded: fc.constantFrom<Split['rounded']>('down', 'up'),
  told: fc.constantFrom<Split['told']>('own', 'times nodes'),
});

test('what nodes with a share of the limit tell is read back as what each has left', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 4 }),
      SPLITS,
      fc.constantFrom(30, 100),
      fc.array(fc.nat({ max: 3 }), { minLength: 4, maxLength: 20 }),
      (nodes, split, limit, routing) => {
        const share = shareOfNode(limit, nodes, split);
        const counted = Array.from({ length: nodes }, () => 0);
        const left = routing.flatMap((each) => {
          const node = each % nodes;
          counted[node] = (counted[node] ?? 0) + 1;
          const rest = share - (counted[node] ?? 0);
          return rest >= 0 ? [rest] : [];
        });
        const world = conformingWorld([
          historyOf(
            left.map((each) => toldOfShare(each, limit, nodes, split)),
            limit,
          ),
        ]);
        const read = splitsOf(world, nodes).map((found) => found.world.histories[0]);
        expect(read).toContainEqual(
          expect.objectContaining({
            limit: share,
            events: left.map((remaining) => expect.objectContaining({ remaining })),
          }),
        );
      },
    ),
  );
});

test('nodes that each have the whole limit have no share of it, nor does one limiter for all', () => {
  for (const told of [
    [99, 98, 99, 97],
    [99, 98, 97, 96],
  ]) {
    expect([2, 3, 4].flatMap((nodes) => splitsOf(conformingWorld([historyOf(told, 100)]), nodes))).toEqual([]);
  }
});

test('nodes with a share of the limit explain what they told', () => {
  const split = { rounded: 'down', told: 'times nodes' } as const;
  const left = [33, 33, 33];
  const told = Array.from({ length: 80 }, (_, at) => {
    const node = at % 3;
    left[node] = (left[node] ?? 0) - 1;
    return toldOfShare(left[node] ?? 0, 100, 3, split);
  });
  const context = contextOf('read');
  const [found] = proposeNodes(conformingWorld([historyOf(told, 100)]), context);
  const parameters = { kinds: ['read'], nodes: 3, sync: null, split };
  expect(found?.deviations).toMatchObject([{ operator: 'nodes-apart', parameters }]);
  expect(found && hold(found, context)).not.toBe(null);
});
