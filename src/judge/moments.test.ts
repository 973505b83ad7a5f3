import { expect, test } from 'vitest';
import { openMoments } from './moments.ts';
import { exchanges, headers, type Sketch } from './trace-builder.test-support.ts';

/** Whether budgets are worth judging after these answers, of which so many in a row were sent as one burst. */
function due(size: number, ...sketches: readonly Sketch[]): boolean[] {
  const moments = openMoments();
  const all = exchanges(...sketches);
  return all.map((exchange, index) => {
    const intents = index % size === 0 ? [all.slice(index, index + size)] : [];
    moments.learn({ exchanges: [exchange], intents });
    return moments.take('budgets');
  });
}

test('a burst is worth it when its last answer is in', () => {
  expect(due(3, {}, {}, {}, {}, {}, {})).toEqual([false, false, true, false, false, true]);
  expect(due(3, {}, {}, { failure: 'reset' })).toEqual([false, false, true]);
});

test('of single requests, those are with which a budget begins to refuse or accepts again', () => {
  const refused: Sketch = { status: 429 };
  expect(due(1, {}, {}, refused, refused, {}, {})).toEqual([false, false, true, false, true, false]);
});

test('so are those that leave a lot more than before, or less than what was sent accounts for', () => {
  const left = (remaining: number): Sketch => ({ headers: headers({ remaining: [String(remaining)] }) });
  expect(due(1, left(99), left(98), left(96), left(30), left(98), left(97), left(97))).toEqual([
    ...[false, false, true, true],
    ...[true, false, false],
  ]);
});

test('each budget has a state of its own, and a request without a good key has none', () => {
  expect(due(1, { status: 429 }, { key: 'key-2' }, { operation: 'put-label' }, { status: 429 })).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(due(1, { fault: 'bad-key', status: 429 })).toEqual([false]);
});

test('answers are worth it when one is unlike all before, in what was asked or in what it says, or odd a second time', () => {
  const moments = openMoments();
  const worth = exchanges(
    {},
    {},
    { status: 403 },
    { credential: 'bearer' },
    { headers: headers({ remaining: ['41'] }) },
    { headers: headers({ remaining: ['x'] }) },
    { headers: headers({ limit: [] }) },
    { status: 403 },
  ).map((exchange) => {
    moments.learn({ exchanges: [exchange], intents: [] });
    return moments.take('answers');
  });
  expect(worth).toEqual([true, false, true, true, false, true, true, true]);
});
