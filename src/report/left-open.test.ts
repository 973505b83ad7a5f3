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
