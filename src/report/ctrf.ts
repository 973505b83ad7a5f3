import type { VerdictName } from '../judge/verdict.ts';
import { printable } from './printable.ts';
import type { Report, ReportedVerdict } from './report.ts';
import { headline, outcomeName, proofLines, sectionOf, targetName } from './wording.ts';

const STATUSES = ['passed', 'failed', 'skipped', 'pending', 'other'] as const;

/** What was not judged is `skipped`, what was tried and stayed open is `other`: neither is a pass. */
const STATUS: Readonly<Record<VerdictName, (typeof STATUSES)[number]>> = {
  pass: 'passed',
  fail: 'failed',
  'not tested': 'skipped',
  inconclusive: 'other',
  waived: 'other',
  observed: 'other',
};

/**
 * The report in the Common Test Report Format (CTRF, specification version 0.0.0, of ctrf.io): one test per
 * requirement, our own verdict in `rawStatus`. `duration` is 0 throughout: requirements share requests, and none has a
 * time of its own.
 */
export function ctrfReport(report: Report): string {
  const start = Date.parse(report.run.started);
  const duration = Math.round(report.run.seconds * 1000);
  const groups = Map.groupBy(report.verdicts, ({ verdict }) => STATUS[verdict]);
  const counts = Object.fromEntries(STATUSES.map((status) => [status, groups.get(status)?.length ?? 0]));
  const document = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: report.run.started,
    generatedBy: `${report.suite.name} ${report.suite.version}`,
    results: {
      tool: { name: report.suite.name, version: report.suite.version },
      summary: { tests: report.verdicts.length, ...counts, start, stop: start + duration, duration },
      tests: report.verdicts.map(test),
      environment: {
        reportName: headline(report),
        appName: printable(targetName(report)),
        ...(report.target.version === null ? {} : { appVersion: printable(report.target.version) }),
        osPlatform: report.run.runtime.platform,
        extra: { baseUrl: report.target.baseUrl, node: report.run.runtime.node },
      },
      extra: { overall: outcomeName(report), certifiable: report.result.certifiable, digests: report.digests },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function test(verdict: ReportedVerdict): Record<string, unknown> {
  const section = sectionOf(verdict);
  const argument = verdict.proofs.flatMap(proofLines).map(printable);
  return {
    name: verdict.id,
    status: STATUS[verdict.verdict],
    duration: 0,
    suite: [`${section.number} ${section.title}`],
    ...(verdict.verdict === 'pass' ? {} : { message: printable(verdict.summary) }),
    ...(argument.length > 0 ? { trace: argument.join('\n') } : {}),
    rawStatus: verdict.verdict,
    tags: [verdict.level, ...verdict.clauses.map((clause) => `clause ${clause}`)],
    type: 'conformance',
    extra: {
      statement: verdict.statement,
      witnesses: verdict.witnesses,
      ...(verdict.remedy === null ? {} : { remedy: printable(verdict.remedy) }),
      ...(verdict.suppressedBy.length > 0 ? { suppressedBy: verdict.suppressedBy } : {}),
      ...(verdict.waiver === null ? {} : { waiver: verdict.waiver }),
    },
  };
}
