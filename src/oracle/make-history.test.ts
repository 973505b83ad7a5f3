import { expect, test } from 'vitest';
import { exchanges, headers, type Sketch } from '../judge/trace-builder.test-support.ts';
import { makeHistory, statedRemaining } from './make-history.ts';
import { inferMarker } from './marker.ts';

test('a history takes the name of its budget and nothing else, since a budget that makes its own when asked would be asked', () => {
  let asked = 0;
  const budget = {
    key: 'key-1',
    kind: 'write' as const,
    get history() {
      asked += 1;
      return null;
    },
  };
  const offset = { low: 0, high: 0 };
  const history = makeHistory([], budget, inferMarker([], 0), offset);
  expect(asked).toBe(0);
  const until = Number.POSITIVE_INFINITY;
  expect(history).toEqual({ key: 'key-1', kind: 'write', limit: 30, shown: 30, events: [], unit: null, offset, until });
});

test('a removal need not succeed, but if it does, or is refused, it is a request like any other', () => {
  const removal: Sketch = { operation: 'put-label', kind: 'write', fault: 'unstated', step: 'remove' };
  const sent = exchanges(
    removal,
    { ...removal, status: 429 },
    { ...removal, status: 404 },
    { ...removal, step: 'open' },
  );
  const budget = { key: 'key-1', kind: 'write' } as const;
  const { events } = makeHistory(sent, budget, inferMarker(sent, 0), { low: 0, high: 0 });
  expect(events.map(({ outcome }) => outcome)).toEqual(['accepted', 'refused', 'unclear', 'unclear']);
});

test('a Remaining below 0 is read with its sign, also without one in 32 bits, and leaves nothing', () => {
  const left = (text: string): Sketch => ({ status: 429, headers: headers({ remaining: [text] }) });
  const sent = exchanges(left('4294967295'), left('4294967290'), left('4294967296'), left('-1'), left('7'));
  expect(sent.map(statedRemaining)).toEqual([-1, -6, 4294967296, -1, 7]);
  const { events } = makeHistory(sent, { key: 'key-1', kind: 'read' }, inferMarker(sent, 0), { low: 0, high: 0 });
  expect(events.map(({ remaining }) => remaining)).toEqual([0, 0, 4294967296, 0, 7]);
});
