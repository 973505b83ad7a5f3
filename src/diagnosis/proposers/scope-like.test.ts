import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import type { Event, History } from '../../oracle/history.ts';
import { conformingWorld } from '../world.ts';
import { scopeLike } from './scope-like.ts';

const request = (seq: number, group: string): Event =>
  ({
    ...{ exchange: { seq, group }, from: seq, to: seq, outcome: 'accepted' },
    ...{ group: '', remaining: null, reset: null },
  }) as Event;

/** Writes of one key, by their groups. */
function writes(...groups: readonly string[]): History {
  const offset = { low: 0, high: 0 };
  const events = groups.map((group, at) => request(at, group));
  return { ...{ key: 'key-1', kind: 'write', limit: 30, shown: 30 }, events, offset, unit: 1, until: 100 } as History;
}

function apart(blocks: readonly (readonly string[])[], exempt: readonly string[] = []): Deviation {
  const scope = { attribute: 'group', blocks, exempt, others: 'together', exemptHeaders: 'of the others' } as const;
  return { operator: 'finer-scope', parameters: { kinds: ['read'], ...scope } };
}

const LABELS_APART = apart([['categories', 'service'], ['labels']]);

test('budgets are divided as those of the other kind, even if some of its classes have no request here', () => {
  const world = conformingWorld([writes('labels', 'categories', 'labels')]);
  const [like] = scopeLike(world, 'write', [[LABELS_APART]]);
  expect(like?.deviations).toEqual([{ ...LABELS_APART, parameters: { ...LABELS_APART.parameters, kinds: ['write'] } }]);
  const seqs = like?.world.histories.map(({ events }) => events.map(({ exchange }) => exchange.seq));
  expect(seqs).toEqual([[1], [0, 2]]);
});

test('what belongs to none of its classes may be counted with any of them', () => {
  const world = conformingWorld([writes('labels', 'other', 'service')]);
  const [like] = scopeLike(world, 'write', [[LABELS_APART]]);
  const seen = like?.world.histories.map(({ events }) =>
    events.map(({ exchange, outcome }) => [exchange.seq, outcome]),
  );
  expect(seen).toEqual([
    [
      [1, 'unclear'],
      [2, 'accepted'],
    ],
    [
      [0, 'accepted'],
      [1, 'unclear'],
    ],
  ]);
});

test('nothing is divided where only one of its budgets was used, or where it exempts requests', () => {
  const world = conformingWorld([writes('labels', 'labels')]);
  expect(scopeLike(world, 'write', [[LABELS_APART], [apart([], ['labels'])]])).toEqual([]);
});
