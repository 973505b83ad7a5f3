import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import { conformingWorld } from '../../diagnosis/world.ts';
import type { Event, History } from '../../oracle/history.ts';
import type { Kind } from '../../trace/exchange.ts';
import { exchanges } from '../trace-builder.test-support.ts';
import { deviationProof } from './deviation-proof.ts';
import { takenBetween } from './taken-between.ts';

/** A budget of accepted requests: the ms at which each was sent, which is its number, and what it left. */
function budget(kind: Kind, ...sent: readonly (readonly [at: number, remaining: number])[]): History {
  const recorded = exchanges(...sent.map(([at]) => ({ seq: at, key: 'key-1', kind })));
  const events = sent.flatMap(([at, remaining], index) => {
    const times = { from: at * 1000, to: at * 1000 + 500, reset: 60e6 };
    const exchange = recorded[index];
    return exchange ? [{ exchange, outcome: 'accepted', remaining, ...times } as unknown as Event] : [];
  });
  const limit = kind === 'read' ? 100 : 30;
  return {
    key: 'key-1',
    kind,
    events,
    limit,
    shown: limit,
    unit: 1,
    offset: { low: 0, high: 0 },
  } as unknown as History;
}

const SHARED: Deviation = { operator: 'shared-kinds', parameters: { how: 'writes count as reads too' } };
const seqs = (reads: History, writes: History): readonly number[] | undefined =>
  takenBetween(SHARED, [reads], [reads, writes])?.events.map(({ exchange }) => exchange.seq);

test('the answers between which the fewest requests of others took what is missing are shown', () => {
  const writes = budget('write', [2, 29], [3, 28], [7, 27]);
  expect(seqs(budget('read', [1, 99], [5, 96], [9, 94], [10, 93]), writes)).toEqual([5, 9]);
  // One more is missing than others sent.
  expect(seqs(budget('read', [5, 99], [9, 96]), writes)).toBeUndefined();
  // A write that was under way with a read may have been counted before it.
  expect(seqs(budget('read', [7, 98], [9, 96]), writes)).toBeUndefined();
});

test('beside a race, a kind that takes from the other is not proved by what the race let through', () => {
  const crowd = Array.from({ length: 101 }, (_, at) => [100 + at, Math.max(0, 99 - at)] as const);
  const reads = budget('read', ...crowd, [300, 50], [303, 48]);
  const writes = budget('write', [301, 29]);
  const proved = deviationProof(
    'Each kind has a budget of its own.',
    SHARED,
    { kind: 'read', conforming: null, world: conformingWorld([reads]) },
    [{ world: conformingWorld([writes]) }],
  );
  const told = proved.argument.join(' ');
  expect(told).not.toMatch(/requests were accepted whose/);
  expect(told).toMatch(
    /No other read of the key was sent from #300 to #303, and #303 left 2 fewer\. #303 itself takes one\. #301, a write with key-1, was accepted between them\./,
  );
});
