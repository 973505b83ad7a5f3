import { expect, test } from 'vitest';
import { unfounded } from './recomputed.test-support.ts';
import { sampleExchange } from './sample-exchange.test-support.ts';

const rows = [
  sampleExchange({ seq: 4, sent: 1_000_000, answered: 1_002_000 }),
  sampleExchange({ seq: 9, sent: 36_500_000, answered: 36_501_000, status: 429 }),
];

test.each([
  ['#4 (read, sent at 1.000 s) was answered 200, and #9, 35.5 s later, 429.', []],
  ['2 requests of key-1 were sent within 35.5 s, 1 of them accepted; the limit is 100 (clause 8).', []],
  ['61 requests were accepted within 60.0 s, contrary to LIMIT-R.', [61]],
  ['#7 was accepted within 17.7 s.', [7, 17.7]],
])('what no reader could check in "%s"', (sentence, numbers) => {
  expect(unfounded(sentence, rows)).toEqual(numbers);
});
