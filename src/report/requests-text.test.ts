import { expect, test } from 'vitest';
import { conditionsSection } from './html/run.ts';
import { markdownReport } from './markdown.ts';
import { requestsText, silenceText } from './requests-text.ts';
import { sampleReport } from './sample-report.test-support.ts';
import { terminalReport } from './terminal.ts';

test('requests that got no answer are counted where all are', () => {
  const { conditions } = sampleReport();
  const told = (failures: typeof conditions.failures) =>
    sampleReport({}, { conditions: { ...conditions, requests: 1446, failures } });
  const report = told({ reset: 12, protocol: 12 });
  expect(requestsText(report)).toMatch(/^1,446 requests \(24 without an answer\) in /);
  expect(requestsText(told({}))).toMatch(/^1,446 requests in /);
  for (const text of [terminalReport(report), markdownReport(report)])
    expect(text).toMatch(/1,446 requests \(24 without an answer\) in /);
});

test.each([
  [{ reset: 34 }, 34, '(34 without an answer, all sent at once on one connection, which not every server can answer)'],
  [{ reset: 34 }, 30, '(34 without an answer, most sent at once on one connection, which not every server can answer)'],
  [{ reset: 34 }, 3, '(34 without an answer, because the connection was closed)'],
  [{ reset: 3, timeout: 5 }, undefined, '(8 without an answer, mostly because none came in time)'],
  [{ protocol: 8 }, undefined, '(8 without an answer)'],
] as const)('what most requests without an answer have in common is said: %j, %j', (failures, together, said) => {
  const { conditions } = sampleReport();
  const report = sampleReport({}, { conditions: { ...conditions, failures, ...(together && { together }) } });
  expect(requestsText(report)).toContain(said);
  expect(JSON.stringify(conditionsSection(report).body)).toContain(silenceText(report.conditions));
});
