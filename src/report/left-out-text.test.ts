import { expect, test } from 'vitest';
import { caveats } from './caveats.ts';
import { sampleReport } from './sample-report.test-support.ts';

test('as many requirements are told to be unselected as block a certificate', () => {
  const report = sampleReport();
  const result = { ...report.result, overall: 'inconclusive' } as const;
  expect(caveats({ ...report, result, unselected: ['AUTH-1', 'HDR-1', 'STATUS-500', 'AUTH-O1'] })).toEqual([
    '2 requirements that a certificate needs were not selected, not counting STATUS-500, which it does not need. The verdict is on the others.',
  ]);
});

test('requests that could not be sent are told at the head, once for each reason', () => {
  const report = sampleReport();
  const why = 'mk-label, which prepares other operations, answered 429';
  const leftOut = [
    { operation: 'label', why, requests: 20 },
    { operation: 'del-label', why, requests: 4 },
  ];
  expect(caveats({ ...report, conditions: { ...report.conditions, leftOut } })).toContain(
    `24 requests for label, del-label were left out: ${why}. No verdict depends on them.`,
  );
  expect(caveats(report).join()).not.toContain('left out');
});

test('it is said which verdicts stay open without them', () => {
  const [undecided, why] = [{ name: 'labels', witnesses: 0, verdict: 'inconclusive' }, 'x'] as const;
  const report = sampleReport({
    'AUTH-1': { verdict: 'inconclusive', parts: [{ ...undecided, summary: 'del-label: nothing could be sent' }] },
    'STATUS-200': { verdict: 'inconclusive', parts: [{ ...undecided, name: 'del', summary: 'never succeeded' }] },
    'VERSION-1': { verdict: 'not tested', parts: [{ ...undecided, name: 'del-label', summary: 'not tried' }] },
    'HDR-1': { verdict: 'pass', parts: [{ ...undecided, name: 'del-label', summary: 'not tried' }] },
  });
  const leftOut = [{ operation: 'del-label', why, requests: 1 }];
  expect(caveats({ ...report, conditions: { ...report.conditions, leftOut } })).toContain(
    '1 request for del-label was left out: x. Without it, AUTH-1 and VERSION-1 stay undecided.',
  );
});
