import { expect, test } from 'vitest';
import { caveats } from './caveats.ts';
import { sampleReport } from './sample-report.test-support.ts';

test('as many requirements are told to be unselected as block a certificate', () => {
  const report = sampleReport();
  const result = { ...report.result, overall: 'inconclusive' } as const;
  expect(caveats({ ...report, result, unselected: ['AUTH-1', 'HDR-1', 'STATUS-500', 'AUTH-O1'] })).toEqual([
    '2 requirements that a certificate needs were not selected.',
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
    `24 requests for label, del-label were left out: ${why}.`,
  );
  expect(caveats(report).join()).not.toContain('left out');
});
