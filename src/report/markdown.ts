import type { VerdictName } from '../judge/verdict.ts';
import { caveats } from './caveats.ts';
import { EVIDENCE_COLUMNS, evidenceRows } from './evidence-rows.ts';
import { type Finding, findingsOf } from './findings.ts';
import { leftOpen } from './left-open.ts';
import { escapeMarkup } from './markup.ts';
import { printable } from './printable.ts';
import type { Report, ReportedVerdict } from './report.ts';
import { requestsText } from './requests-text.ts';
import { diagnosesOf, headline, overallWord, verdictCounts } from './wording.ts';

const SIGN: Readonly<Record<VerdictName, string>> = {
  pass: '✅',
  fail: '❌',
  inconclusive: '❔',
  waived: '🏳️',
  'not tested': '⬜',
  observed: '·',
};

/**
 * Markdown for `$GITHUB_STEP_SUMMARY` and pull requests: the verdict, the first failure in full, the others by their
 * sentence, and what was not judged.
 */
export function markdownReport(report: Report): string {
  const failures = findingsOf(report).filter(({ verdict }) => verdict.verdict === 'fail');
  const waived = report.verdicts.filter((each) => each.verdict === 'waived');
  const open = leftOpen(report).map(
    ({ verdict, ids, advice }) => `- ${SIGN[verdict]} **${ids.join(', ')}** ${verdict}: ${text(advice)}`,
  );
  const warnings = caveats(report).map((each) => `> ⚠️ ${text(each)}`);
  const blocks = [
    `## Size Chart Service API v1: ${overallWord(report).toLowerCase()}`,
    text(headline(report)),
    ...(warnings.length > 0 ? [warnings.join('\n>\n')] : []),
    table(
      ['Verdict', 'Requirements'],
      verdictCounts(report).map(({ name, count }) => [`${SIGN[name]} ${name}`, String(count)]),
    ),
    ...failures.slice(0, 1).map(firstFailure),
    ...list(
      'Also failing',
      failures.slice(1).map(({ verdict }) => item(verdict)),
    ),
    ...list('Waived', waived.map(item)),
    ...list('Left open', open),
    `<sub>${text(requestsText(report))}, ${text(report.suite.name)} ${text(report.suite.version)}, trace <code>${report.digests.trace.slice(0, 16)}</code></sub>`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function firstFailure({ verdict, sentence, looksLike: names, rows, conclusion, causes, remedies }: Finding): string {
  const looks = names.map(looksLike).join('');
  const said = (label: string, texts: readonly string[]): string[] =>
    texts.length === 0 ? [] : [`**${label}:** ${texts.map((each) => text(each.replaceAll('`', ''))).join(' ')}`];
  return [
    `### ❌ ${verdict.id}: ${text(sentence)}`,
    `${text(verdict.title)} (clause ${verdict.clauses.join(', ')}, ${verdict.level}).${looks}`,
    ...(rows.length === 0 ? [] : [table(EVIDENCE_COLUMNS, evidenceRows(rows, { target: 80, value: 40 }))]),
    ...(conclusion === null ? [] : [text(conclusion)]),
    ...said('Usual cause', causes.slice(0, 1)),
    ...said('What to do', remedies.slice(0, 2)),
    ...(verdict.replay === null ? [] : [fenced(printable(verdict.replay))]),
  ].join('\n\n');
}

/** Items under a heading; nothing if there are none. */
function list(heading: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`### ${heading}`, items.join('\n')];
}

function item(verdict: ReportedVerdict): string {
  const looks = diagnosesOf(verdict).map(looksLike).join('');
  return `- ${SIGN[verdict.verdict]} **${verdict.id}** ${verdict.verdict}: ${text(verdict.summary)}${looks}`;
}

function looksLike(name: string): string {
  return ` **Looks like ${text(name)}.**`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(text).join(' | ')} |`;
  return [line(header), `|${' --- |'.repeat(header.length)}`, ...rows.map(line)].join('\n');
}

/**
 * Text without meaning in Markdown or HTML, so nothing from a target can become a link, an image, a mention or a tag.
 */
function text(value: string): string {
  return escapeMarkup(value)
    .replace(/[\\`*_[\]|~@#!]/g, (mark) => (mark === '#' ? '&#35;' : mark === '@' ? '&#64;' : `\\${mark}`))
    .replaceAll('&\\#39;', '&#39;');
}

/** A code block whose fence is longer than any run of back-ticks within. */
function fenced(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}sh\n${code}\n${fence}`;
}
