import { expect, test } from 'vitest';
import { sampled } from '../../../test/sampled.test-support.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { type Event, type History, limitOf } from '../../oracle/history.ts';
import { Work } from '../../oracle/work.ts';
import { Fitter } from '../fitter.ts';
import type { SearchContext } from '../proposal.ts';
import { conformingWorld } from '../world.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeOtherKind } from './other-kind.ts';

const filedAsReads = (...operations: readonly string[]): Deviation => {
  return { operator: 'charged-as-other-kind', parameters: { kind: 'write', operations } };
};

test.each(
  sampled(
    [
      ['a group', ['create-label', 'delete-label', 'update-label']],
      ['several', ['update-category', 'update-service']],
    ],
    4,
  ),
)('the operations that are charged as reads are found: %s', async (_, operations) => {
  const filed = filedAsReads(...operations);
  const run = await runUnder([filed]);
  for (const kind of ['read', 'write'] as const) {
    expect(foundBy(proposeOtherKind, kind, run)[0]?.deviations).toEqual([filed]);
  }
});

test('operations that state the limit of writes, but are not in their count, are not charged there', () => {
  const event = (seq: number, operation: string, limit: number, remaining: number): Event =>
    ({
      exchange: { seq, operation, method: 'GET', group: 'labels', headers: { limit: [`${limit}`] } },
      ...{ from: seq * 1e6, to: seq * 1e6 + 500, outcome: 'accepted', group: '', remaining, reset: 60e6 },
    }) as unknown as Event;
  const history = (kind: 'read' | 'write', events: readonly Event[]): History => ({
    ...{ key: 'key-1', kind, limit: limitOf(kind), shown: limitOf(kind), events, unit: 1000 },
    ...{ offset: { low: 0, high: 0 }, until: Number.POSITIVE_INFINITY },
  });
  const proposed = (left: number): number => {
    const reads = history('read', [event(1, 'get-service', 100, 99), event(22, 'get-label', 30, left)]);
    const writes = Array.from({ length: 20 }, (_, at) => event(2 + at, 'put-label', 30, 29 - at));
    const fitter = new Fitter(new Work(1_000_000));
    const otherKind = [history('write', writes)];
    const context = { kind: 'read', otherKind, fitter } as unknown as SearchContext;
    return [...proposeOtherKind(conformingWorld([reads]), context)].length;
  };
  expect(proposed(9)).toBeGreaterThan(0);
  expect(proposed(29)).toBe(0);
});

test('a request whose path is written otherwise may be one of those that are moved', () => {
  const event = (seq: number, outcome: Event['outcome'], operation: string | null, limit: string): Event =>
    ({
      exchange: { seq, operation, method: 'PUT', group: 'service', headers: { limit: [limit] } },
      ...{ from: seq * 1000, to: seq * 1000 + 500, outcome, group: '', remaining: null, reset: null },
    }) as unknown as Event;
  const history = (kind: 'read' | 'write', events: readonly Event[]): History => ({
    ...{ key: 'key-1', kind, limit: limitOf(kind), shown: limitOf(kind), events, unit: null },
    ...{ offset: { low: 0, high: 0 }, until: Number.POSITIVE_INFINITY },
  });
  const reads = history('read', [event(1, 'accepted', 'get-service', '100')]);
  const writes = history('write', [
    event(2, 'accepted', 'update-service', '100'),
    event(3, 'unclear', null, '100'),
    event(4, 'accepted', 'update-label', '30'),
    event(5, 'unclear', 'update-label', '30'),
  ]);
  const context = { kind: 'read', otherKind: [writes] } as unknown as SearchContext;
  const [proposal] = proposeOtherKind(conformingWorld([reads]), context);
  expect(proposal?.world.histories[0]?.events.map(({ exchange }) => exchange.seq)).toEqual([1, 2, 3]);
});
