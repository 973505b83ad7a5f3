import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleExchange } from '../report/sample-report.test-support.ts';
import type { Exchange } from '../trace/exchange.ts';
import { sameAnswers, sequencesOf, shortened } from './sequence.ts';

const SECOND = 1e6;

/** A read on key-1, answered after a millisecond. */
function at(seq: number, seconds: number, rest: Partial<Exchange> = {}): Exchange {
  const sent = seconds * SECOND;
  return sampleExchange({ seq, sent, answered: sent + 1000, ...rest });
}

const seqs = (exchanges: readonly Exchange[]): number[] => exchanges.map(({ seq }) => seq);
const sent = ({ steps }: { steps: readonly { exchanges: readonly Exchange[] }[] }): number[] =>
  seqs(steps.flatMap(({ exchanges }) => exchanges));

test('an answer that stands for itself is asked for again with its control, and nothing else', () => {
  const run = [at(1, 0), at(2, 1), at(3, 2, { fault: 'bad-key', key: 'unknown', variation: 'altered' }), at(4, 3)];
  const [shortest] = sequencesOf('AUTH-5', [{ evidence: [run[1], run[2]].flatMap((each) => each ?? []) }], run);
  expect(shortest && [shortest.paced, sent(shortest)]).toEqual([false, [2, 3]]);
});

test('what hangs on counting is preceded by all that the same budget was charged, since its last silence', () => {
  const run = [
    at(1, 0),
    at(2, 70),
    at(3, 71, { kind: 'write' }),
    at(4, 72, { key: 'key-2' }),
    at(5, 73, { step: 'prepare' }),
    at(6, 74, { status: 429 }),
    at(7, 80),
  ];
  const [shortest] = sequencesOf('LIMIT-R', [{ evidence: run.filter(({ seq }) => seq === 6) }], run);
  expect(shortest && sent(shortest)).toEqual([2, 6]);
  expect(shortest?.length).toBe(4 * SECOND);
});

test('what else was answered to the same request makes an answer hang on what came before', () => {
  const run = [at(1, 0), at(2, 1, { status: 500 })];
  const [shortest] = sequencesOf('STATUS-NO5XX', [{ evidence: run.slice(1) }], run);
  expect(shortest && [shortest.paced, sent(shortest)]).toEqual([true, [1, 2]]);
});

test('what was sent at once is sent at once', () => {
  const run = [at(1, 0), at(2, 0.0001), at(3, 0.0002), at(4, 5)];
  const [shortest] = sequencesOf('LIMIT-R', [{ evidence: run.slice(3) }], run);
  expect(shortest?.steps.map((step) => seqs(step.exchanges))).toEqual([[1, 2, 3], [4]]);
});

test('the shortest failing beginning is found, wherever it ends', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.nat({ max: 59 }), (length, seed) => {
      const run = Array.from({ length }, (_, index) => at(index, index));
      const [whole] = sequencesOf('LIMIT-R', [{ evidence: run.slice(-1) }], run);
      const enough = (seed % length) + 1;
      expect(whole && shortened(whole, (part) => part.steps.length >= enough).steps).toHaveLength(enough);
    }),
  );
});

test('the same answers in another order are the same, and one that differs is not', () => {
  const run = [at(1, 0), at(2, 0.0001, { status: 429 })];
  const [whole] = sequencesOf('LIMIT-R', [{ evidence: run }], run);
  expect(whole && sameAnswers(whole, run.toReversed())).toBe(true);
  expect(whole && sameAnswers(whole, [at(1, 0), at(2, 0.0001)])).toBe(false);
});
