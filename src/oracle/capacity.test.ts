import { expect, test } from 'vitest';
import { countUnspentRefusals, refusedWithSomeLeft } from './capacity.ts';
import type { Event, History } from './history.ts';

const SECOND = 1_000_000;

/** What requests at these seconds found: refused or not, with so many left, answered 10 ms or so many seconds later. */
function historyOf(
  ...found: readonly (readonly [second: number, refused: boolean, remaining: number, took?: number])[]
) {
  const events = found.map(([second, refused, remaining, took = 0.01], seq) => {
    const from = second * SECOND;
    const outcome = refused ? 'refused' : 'accepted';
    return { exchange: { seq }, from, to: from + took * SECOND, outcome, group: '', remaining, reset: null };
  });
  return {
    key: 'key-1',
    kind: 'read',
    limit: 100,
    shown: 100,
    events: events as unknown as readonly Event[],
  } as History;
}

test('a budget must have been spent again before each refusal that follows an answer with some left', () => {
  expect(countUnspentRefusals(historyOf([0, false, 9], [1, true, 9], [2, false, 8], [3, true, 8], [4, true, 0]))).toBe(
    2,
  );
  // Two requests used up the two that were left.
  expect(countUnspentRefusals(historyOf([1, true, 2], [2, false, 1], [3, false, 0], [4, true, 0]))).toBe(0);
  expect(countUnspentRefusals(historyOf([0, false, 9], [1, false, 8], [2, true, 0]))).toBe(0);
});

test('refusals at the same time count once, and those a window later not at all', () => {
  expect(countUnspentRefusals(historyOf([0, true, 9], [1, true, 9, 2], [1.5, true, 9, 1], [2, true, 9, 0.1]))).toBe(1);
  expect(countUnspentRefusals(historyOf([0, true, 9], [56, true, 9]))).toBe(0);
});

test('a refusal with some left is shown by its own answer, or by one before it', () => {
  const seqs = (history: History) => [...refusedWithSomeLeft(history)].map(({ exchange }) => exchange.seq);
  expect(seqs(historyOf([0, false, 9], [1, true, 9], [2, true, 0]))).toEqual([1, 2]);
  // Two were left, and two may have been counted since.
  expect(seqs(historyOf([0, false, 2], [1, false, 1, 3], [2, false, 0, 3], [3, true, 0]))).toEqual([]);
  // What was left may have been spent by those that were under way at the same time.
  expect(seqs(historyOf([0, false, 1, 5], [1, false, 0, 1], [6, true, 0]))).toEqual([]);
  expect(seqs(historyOf([0, true, 0]))).toEqual([]);
});
