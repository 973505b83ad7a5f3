import { expect, test } from 'vitest';
import type { Event, History } from '../../oracle/history.ts';
import { SHAPES } from '../../oracle/shapes.ts';
import type { SearchContext } from '../proposal.ts';
import { conformingWorld } from '../world.ts';
import { proposeApart } from './scope.ts';

const event = (seq: number, target: string, outcome: Event['outcome'], remaining: number | null): Event =>
  ({
    exchange: { seq, target, method: 'PUT', operation: 'update-category', group: 'categories', credential: 'bearer' },
    ...{ from: seq * 1000, to: seq * 1000 + 500, outcome, group: '', remaining, reset: null },
  }) as unknown as Event;

function attributesTried(events: readonly Event[]): readonly unknown[] {
  const history: History = {
    ...{ key: 'key-1', kind: 'write', limit: 30, shown: 30, events, unit: null },
    ...{ offset: { low: 0, high: 0 }, until: Number.POSITIVE_INFINITY },
  };
  const context = { kind: 'write', likely: SHAPES } as unknown as SearchContext;
  return [...proposeApart(conformingWorld([history]), context)].map(({ deviations }) =>
    deviations.map((each) => each.operator === 'finer-scope' && each.parameters.attribute).join(),
  );
}

test('a path of which only answers that failed tell may have a budget of its own', () => {
  const good = [event(1, '/categories/1', 'accepted', 29), event(2, '/categories/1', 'accepted', 28)];
  expect(attributesTried(good)).toEqual([]);
  expect(attributesTried([...good, event(3, '/categories/9', 'failed', null)])).toEqual([]);
  expect(attributesTried([...good, event(3, '/categories/9', 'failed', 29)])).toEqual(['path']);
});

test('a query may have a budget of its own, and so may each URL', () => {
  const first = event(1, '/categories/1', 'accepted', 29);
  const other = (target: string) => event(2, target, 'accepted', 29);
  expect(attributesTried([first, other('/categories/1?page=2')])).toEqual(['query-string']);
  expect(attributesTried([first, other('/categories/2?page=2')])).toEqual([
    'path',
    'query-string',
    'path,query-string',
  ]);
});
