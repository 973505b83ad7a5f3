import { type Markup, markup } from './markup.ts';
import type { Report, ReportedVerdict } from './report.ts';
import { headline, sectionOf, sentence, suiteOf } from './wording.ts';

/**
 * JUnit XML: one test suite per section of the specification, one test case per requirement, named by its ID and
 * title, in the file that states it. What is not
 * judged (not tested, inconclusive, waived, observed) is `skipped` with the verdict and its reason, so that a reader of
 * JUnit never takes it for a pass. `time` is 0 throughout: requirements share requests, and none has a time of its own.
 */
export function junitReport(report: Report): string {
  const sections = [...new Map(report.verdicts.map((each) => [sectionOf(each).number, sectionOf(each)])).values()];
  const root = markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${report.suite.name}" ${totals(report.verdicts)} time="${report.run.seconds.toFixed(3)}">
${sections.map((section) => suite(report, section))}</testsuites>
`;
  return root.markup;
}

function suite(report: Report, section: { number: string; title: string }): Markup {
  const members = report.verdicts.filter((each) => sectionOf(each).number === section.number);
  return markup`  <testsuite name="${section.number} ${section.title}" ${totals(members)} errors="0" time="0" timestamp="${report.run.started.slice(0, 19)}" hostname="${report.target.baseUrl}">
    <properties>
${Object.entries(properties(report)).map(([name, value]) => markup`      <property name="${name}" value="${value}"/>\n`)}    </properties>
${members.map((each) => testCase(each, section))}  </testsuite>
`;
}

function totals(members: readonly ReportedVerdict[]): Markup {
  const failures = members.filter((each) => each.verdict === 'fail').length;
  const passed = members.filter((each) => each.verdict === 'pass').length;
  return markup`tests="${members.length}" failures="${failures}" skipped="${members.length - failures - passed}"`;
}

function properties(report: Report): Record<string, string> {
  return {
    'suite.version': report.suite.version,
    'target.name': report.target.name,
    'target.version': report.target.version ?? '',
    'target.base-url': report.target.baseUrl,
    overall: report.result.overall,
    headline: headline(report),
    certifiable: String(report.result.certifiable),
    'run.outcome': report.run.outcome,
    'run.scale': String(report.run.scale),
    'run.seed': String(report.run.seed),
    'digest.trace': report.digests.trace,
    'digest.profile': report.digests.profile,
    'digest.catalogue': report.digests.catalogue,
  };
}

function testCase(verdict: ReportedVerdict, section: { title: string }): Markup {
  return markup`    <testcase name="${verdict.id} ${verdict.title}" classname="size-chart-service-api-v1.${section.title.toLowerCase().replaceAll(' ', '-')}" file="${suiteOf(verdict)}" time="0">
      <properties>
        <property name="verdict" value="${verdict.verdict}"/>
        <property name="level" value="${verdict.level}"/>
        <property name="clauses" value="${verdict.clauses.join(', ')}"/>
        <property name="statement" value="${verdict.statement}"/>
        <property name="witnesses" value="${verdict.witnesses}"/>
      </properties>
${outcome(verdict)}    </testcase>
`;
}

function outcome(verdict: ReportedVerdict): Markup | null {
  switch (verdict.verdict) {
    case 'pass':
      return verdict.notes.length > 0 ? markup`      <system-out>${lines(verdict.notes)}</system-out>\n` : null;
    case 'fail':
      return markup`      <failure type="${verdict.proofs[0]?.diagnosis ?? 'fail'}" message="${verdict.summary}">${lines(failureText(verdict))}</failure>\n`;
    default:
      return markup`      <skipped message="${[`${verdict.verdict}: ${verdict.summary}`, verdict.remedy].filter(Boolean).join(' → ')}"/>\n`;
  }
}

/** Line breaks are ours; each line is escaped for itself. */
function lines(texts: readonly string[]): Markup[] {
  return texts.map((text, index) => markup`${index > 0 && { markup: '\n' }}${text}`);
}

/** The sentence first: some readers (GitLab) show the text alone, without the attributes. */
function failureText(verdict: ReportedVerdict): string[] {
  return [
    sentence(verdict.summary),
    ...verdict.proofs.flatMap((proof) => [
      '',
      `expected: ${proof.expected}`,
      `received: ${proof.received}`,
      ...proof.argument,
    ]),
    ...(verdict.replay === null ? [] : ['', `see it again: ${verdict.replay}`]),
  ];
}
