import { expect, test } from 'vitest';
import { ALL_LAYERS } from '../../oracle/check.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { neverSeen } from './never-seen.ts';

/** A budget whose n-th answer leaves so many. */
function named(left: (at: number) => number) {
  const events = Array.from({ length: 60 }, (_, at) => {
    return { from: at * 1000, to: at * 1000 + 1, outcome: 'accepted', remaining: left(at), reset: WINDOW } as Event;
  });
  const history = { key: 'key-1', kind: 'read', limit: 100, shown: 100, events, unit: 1 } as unknown as History;
  return neverSeen({ histories: [history], shapes: [], window: WINDOW, layers: ALL_LAYERS }, 'read');
}

test.each([2, 3, 4])('%i nodes leave each number once each', (nodes) => {
  expect(named((at) => 99 - Math.floor(at / nodes))).toMatchObject({ operator: 'nodes-apart', parameters: { nodes } });
});

test('no few nodes leave the same number many times', () => {
  expect(named((at) => 99 - Math.floor(at / 12)).operator).toBe('lost-updates');
});
