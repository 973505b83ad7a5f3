import { expect, test } from 'vitest';
import { codeQualityReport } from './code-quality.ts';
import { sampleExchange } from './sample-exchange.test-support.ts';
import { sampleProof, sampleReport } from './sample-report.test-support.ts';
import { failingRun, largestRun } from './sample-runs.test-support.ts';

interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const issuesOf = (report: Parameters<typeof codeQualityReport>[0]) => JSON.parse(codeQualityReport(report)) as Issue[];

test('a failure is an issue with what GitLab requires of one', () => {
  const report = sampleReport({
    'HDR-1': { verdict: 'fail', summary: 'all answers lack them', proofs: [sampleProof([sampleExchange()])] },
  });
  expect(issuesOf(report)).toEqual([
    {
      description: 'HDR-1 The three headers on every response: All answers lack them.',
      check_name: 'HDR-1',
      fingerprint: 'size-chart-conformance acme-size-charts HDR-1',
      severity: 'critical',
      location: { path: 'suites/08-limit-headers.suite.ts', lines: { begin: 1 } },
    },
  ]);
});

test('what conforms has no issue, and no two issues have one fingerprint', () => {
  expect(issuesOf(sampleReport())).toEqual([]);
  const prints = issuesOf(largestRun).map(({ fingerprint }) => fingerprint);
  expect(prints.length).toBeGreaterThan(10);
  expect(new Set(prints).size).toBe(prints.length);
});

test('a waived failure weighs less, and nothing that the target sent acts on a terminal', () => {
  const issues = issuesOf(failingRun);
  expect(issues.find((each) => each.check_name === 'LIMIT-W')?.severity).toBe('minor');
  const text = issues.map(({ description, fingerprint }) => description + fingerprint).join('');
  expect(text).toContain('evil.example');
  expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
