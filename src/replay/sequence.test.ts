import { expect, test } from 'vitest';
import { sampleExchange } from '../report/sample-exchange.test-support.ts';
import type { Exchange } from '../trace/exchange.ts';
import { inSteps, onKey, requestsOf, type Sequence, sameAnswers } from './sequence.ts';

const SECOND = 1e6;

/** A read on key-1, answered after a millisecond. */
function at(seq: number, seconds: number, rest: Partial<Exchange> = {}): Exchange {
  const sent = seconds * SECOND;
  return sampleExchange({ seq, sent, answered: sent + 1000, ...rest });
}

function sequence(exchanges: readonly Exchange[]): Sequence {
  return { steps: inSteps(exchanges, true), pace: 'at once', window: null, shows: true, isCertain: true };
}

test('what was sent at once is sent at once, and what prepares a request is made anew', () => {
  const run = [at(1, 0), at(2, 0.0001), at(3, 0.0002), at(4, 5, { step: 'prepare' }), at(5, 6)];
  expect(sequence(run).steps.map(({ exchanges }) => exchanges.map(({ seq }) => seq))).toEqual([[1, 2, 3], [5]]);
});

test('the same answers in another order are the same, and one that differs is not', () => {
  const run = [at(1, 0), at(2, 0.0001, { status: 429 })];
  expect(sameAnswers(sequence(run), run.toReversed())).toBe(true);
  expect(sameAnswers(sequence(run), [at(1, 0), at(2, 0.0001)])).toBe(false);
});

test('on another key nothing but the key changes', () => {
  const run = [at(1, 0), at(2, 1, { key: 'restricted' })];
  expect(requestsOf(onKey(sequence(run), 'key-1', 'key-3')).map(({ key, seq }) => [seq, key])).toEqual([
    [1, 'key-3'],
    [2, 'restricted'],
  ]);
});
