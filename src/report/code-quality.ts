import { findingsOf } from './findings.ts';
import { printable } from './printable.ts';
import type { Report } from './report.ts';
import { suiteOf } from './wording.ts';

/**
 * GitLab's code quality report (docs.gitlab.com/ci/testing/code_quality): an issue for each failure, which a merge
 * request shows until it is mended. GitLab asks for a place in the repository: it is the suite file that states the
 * requirement. A waived failure is told as `minor`.
 */
export function codeQualityReport(report: Report): string {
  const issues = findingsOf(report).map(({ verdict, sentence }) => ({
    description: printable(`${verdict.id} ${verdict.title}: ${sentence}`),
    check_name: verdict.id,
    // One for each requirement of a deployment: GitLab tells by it what is new and what is mended.
    fingerprint: printable(`${report.suite.name} ${report.target.name} ${verdict.id}`),
    severity: verdict.verdict === 'waived' ? 'minor' : verdict.level === 'fixed' ? 'critical' : 'major',
    location: { path: suiteOf(verdict), lines: { begin: 1 } },
  }));
  return `${JSON.stringify(issues, null, 2)}\n`;
}
