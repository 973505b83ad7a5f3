import { expect, test } from 'vitest';
import { markdownReport } from './markdown.ts';
import { requestsText } from './requests-text.ts';
import { sampleReport } from './sample-report.test-support.ts';
import { terminalReport } from './terminal.ts';

test('requests that got no answer are counted where all are', () => {
  const { conditions } = sampleReport();
  const told = (failures: typeof conditions.failures) =>
    sampleReport({}, { conditions: { ...conditions, requests: 1446, failures } });
  const report = told({ reset: 12, timeout: 1 });
  expect(requestsText(report)).toMatch(/^1,446 requests \(13 without an answer\) in /);
  expect(requestsText(told({}))).toMatch(/^1,446 requests in /);
  for (const text of [terminalReport(report), markdownReport(report)])
    expect(text).toMatch(/1,446 requests \(13 without an answer\) in /);
});
