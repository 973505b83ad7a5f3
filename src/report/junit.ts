import { lines, type Markup, markup } from './markup.ts';
import type { Report, ReportedVerdict } from './report.ts';
import { capital, headline, outcomeName, proofLines, sectionOf, sentence, suiteOf } from './wording.ts';

/**
 * JUnit XML, valid by the schema of Jenkins' xUnit plugin (junit-10.xsd), the strictest schema in use: one test suite
 * per file of the suite, and one test case per requirement, named by its ID and title. The schema allows no properties
 * in a test case, so they are in its suite, by the ID. What is not judged (not tested, inconclusive, waived, observed)
 * is `skipped` with the verdict and its reason, so a reader of JUnit never mistakes it for a pass. `time` is always 0,
 * because requirements share requests and none has its own time.
 */
export function junitReport(report: Report): string {
  const files = Map.groupBy(report.verdicts, suiteOf);
  const root = markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${report.suite.name}" ${totals(report.verdicts)} time="${report.run.seconds.toFixed(3)}">
${[...files].map(([file, members]) => suite(report, file, members))}</testsuites>
`;
  return root.markup;
}

function suite(report: Report, file: string, members: readonly ReportedVerdict[]): Markup {
  const all = [...Object.entries(properties(report)), ...members.flatMap(propertiesOf)];
  return markup`  <testsuite name="${titleOf(file)}" ${totals(members)} skipped="${skipped(members)}" time="0" timestamp="${report.run.started.slice(0, 19)}" hostname="${report.target.baseUrl}" file="${file}">
    <properties>
${all.map(([name, value]) => markup`      <property name="${name}" value="${value}"/>\n`)}    </properties>
${members.map(testCase)}  </testsuite>
`;
}

/** `8 Limit headers`, of the file `suites/08-limit-headers.suite.ts`. */
function titleOf(file: string): string {
  const [, section = '', title = ''] = /0?(\d+)-([a-z-]+)\.suite/.exec(file) ?? [];
  return `${section} ${capital(title.replaceAll('-', ' '))}`;
}

function totals(members: readonly ReportedVerdict[]): Markup {
  const failures = members.filter((each) => each.verdict === 'fail').length;
  return markup`tests="${members.length}" failures="${failures}" errors="0"`;
}

function skipped(members: readonly ReportedVerdict[]): number {
  return members.filter(({ verdict }) => verdict !== 'fail' && verdict !== 'pass').length;
}

function properties(report: Report): Record<string, string> {
  return {
    'suite.version': report.suite.version,
    'target.name': report.target.name,
    'target.version': report.target.version ?? '',
    'target.base-url': report.target.baseUrl,
    overall: outcomeName(report),
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

function propertiesOf(verdict: ReportedVerdict): readonly (readonly [name: string, value: string])[] {
  const { id, level, clauses, statement, witnesses } = verdict;
  const own = { verdict: verdict.verdict, level, clauses: clauses.join(', '), statement, witnesses: String(witnesses) };
  return Object.entries(own).map(([name, value]) => [`${id}.${name}`, value]);
}

function testCase(verdict: ReportedVerdict): Markup {
  const { title } = sectionOf(verdict);
  return markup`    <testcase name="${verdict.id} ${verdict.title}" classname="size-chart-service-api-v1.${title.toLowerCase().replaceAll(' ', '-')}" time="0">
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

/** The sentence first: some readers (GitLab) show only the text, without the attributes. */
function failureText(verdict: ReportedVerdict): string[] {
  return [
    sentence(verdict.summary),
    ...verdict.proofs.flatMap((proof) => ['', ...proofLines(proof)]),
    ...(verdict.replay === null ? [] : ['', `see it again: ${verdict.replay}`]),
  ];
}
