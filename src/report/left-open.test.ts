import { expect, test } from 'vitest';
import { leftOpen } from './left-open.ts';
import { sampleReport } from './sample-report.test-support.ts';

const notTested = (remedy: string) => ({ verdict: 'not tested', summary: 'no request', remedy }) as const;
const changes = {
  'AUTH-6': notTested('Set a restricted key.'),
  'LIMIT-R': notTested('Certify: that spends each budget.'),
  'LIMIT-ATOMIC': notTested('Certify: that sends bursts.'),
};

test('what check leaves out by design is told in one line, and what the profile lacks by itself', () => {
  const { run } = sampleReport();
  const told = (command: string) =>
    leftOpen(sampleReport(changes, { run: { ...run, command } })).map(({ ids, advice }) => [ids.join(), advice]);
  expect(told('check')).toEqual([
    ['AUTH-6', 'Set a restricted key.'],
    ['LIMIT-R,LIMIT-ATOMIC', 'check exhausts no budget. certify does, and tries these.'],
  ]);
  expect(told('certify')).toHaveLength(3);
});

const ALONE = 'Use keys that nobody else uses.';
const open = (summary: string, remedy = ALONE) => ({ verdict: 'inconclusive', summary, remedy }) as const;
const READS = 'The reads of key-1 seem to have been used by others.';
const WRITES = 'The writes of key-3 seem to have been used by others.';

test('where reads and writes are undecided for different things that were seen, both are told, each once', () => {
  const report = sampleReport({
    'HDR-4': open(`${READS} ${WRITES}`),
    'LIMIT-R': open(READS),
    'LIMIT-W': open(WRITES),
  });
  expect(leftOpen(report).map(({ advice }) => advice)).toEqual([`${READS} ${WRITES} ${ALONE}`]);
});

test('of many different things none is told before the others', () => {
  const seen = ['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4'].map((id) => [id, open(`${id} met no answer.`)]);
  expect(leftOpen(sampleReport(Object.fromEntries(seen))).map(({ advice }) => advice)).toEqual([ALONE]);
});
