import type { RequirementId } from '../catalogue/requirement.ts';
import { budgetName, explain as explainBudgets } from '../report/explanation.ts';
import { guidanceOn } from '../report/guidance.ts';
import { printable } from '../report/printable.ts';
import { repeats, unrepeated } from '../report/repeated.ts';
import type { Report, ReportedProof, ReportedVerdict } from '../report/report.ts';
import { scopeOf } from '../report/scope.ts';
import { seenIn } from '../report/seen.ts';
import { diagnosesOf, headerText, inSentence, sentence, targetName } from '../report/wording.ts';

/** Requirements whose verdict depends on the inferred mechanism. */
const BY_MECHANISM: ReadonlySet<RequirementId> = new Set([
  'HDR-4',
  'HDR-5',
  'HDR-7',
  'HDR-8',
  'LIMIT-R',
  'LIMIT-W',
  'LIMIT-WINDOW',
  'LIMIT-HISTORY',
]);

/**
 * The argument for one verdict, request by request, in Markdown that can be pasted into a bug report: it explains its
 * terms, so readers need not know the suite.
 */
export function explain(report: Report, id: RequirementId): string {
  const verdict = report.verdicts.find((each) => each.id === id);
  if (!verdict) return `${id} was not selected in this run.\n`;
  const lines = [
    ...heading(verdict, report),
    ...partLines(verdict),
    ...verdict.notes.flatMap((note) => ['', `Note: ${note}`]),
    ...verdict.proofs.flatMap((proof, index) => proofLines(proof, index, verdict)),
    ...scriptLines(verdict),
    ...(BY_MECHANISM.has(id) ? mechanismLines(report) : []),
    ...(verdict.proofs.length > 0 ? guidanceLines(verdict) : []),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

function heading(verdict: ReportedVerdict, { suite, target, run }: Report): string[] {
  const name = targetName({ target });
  const where = name === target.baseUrl ? name : `${name}, ${target.baseUrl}`;
  const looks = diagnosesOf(verdict).map((each) => `Looks like: **${each}**.`);
  return [
    `## ${verdict.id}: ${verdict.verdict}`,
    '',
    `${verdict.title}. Size Chart Service API v1, clause ${verdict.clauses.join(', ')} (${verdict.level}):`,
    '',
    `> ${verdict.statement}`,
    '',
    [sentence(verdict.summary), ...looks].join(' '),
    ...(verdict.remedy === null ? [] : ['', `What to do: ${sentence(verdict.remedy)}`]),
    '',
    `Seen at ${where}, on ${run.started.slice(0, 16).replace('T', ' ')} UTC by ${suite.name} ${suite.version}. Below, #12 is the twelfth request of that run, times are in seconds from its start, key-1 and so on stand for API keys, and limit, remaining and reset are the three X-RateLimit headers as received.`,
  ];
}

/** Joins the names of parts with the same text. */
function partLines({ parts, ...head }: ReportedVerdict): string[] {
  const groups = Map.groupBy(parts, ({ verdict, summary }) => {
    const said = sentence(summary);
    return repeats(said, head) ? verdict : `${verdict}. ${said}`;
  });
  return groups.size === 0
    ? []
    : ['', ...[...groups].map(([said, group]) => `- ${group.map(({ name }) => name).join(', ')}: ${said}`)];
}

function proofLines(proof: ReportedProof, index: number, verdict: ReportedVerdict): string[] {
  const count = verdict.proofs.length + verdict.proofsOmitted;
  const { expected, received } = unrepeated(proof, verdict);
  const told = [
    ...(expected === null ? [] : [`- Expected: ${expected}`]),
    ...(received === null ? [] : [`- Received: ${received}`]),
    ...(proof.diagnosis === null ? [] : [`- Looks like: ${inSentence(proof.diagnosis)}`]),
  ];
  return [
    '',
    `### Proof${count > 1 ? ` ${index + 1} of ${count}` : ''}`,
    ...(told.length > 0 ? ['', ...told] : []),
    ...evidenceTable(proof),
    ...(proof.argument.length > 0 ? [''] : []),
    ...proof.argument.map((sentence, step) => `${step + 1}. ${sentence}`),
  ];
}

function scriptLines({ script }: ReportedVerdict): string[] {
  return script === null ? [] : ['', '### To see it again', '', '```sh', ...script.split('\n'), '```'];
}

function evidenceTable({ evidence, evidenceOmitted }: ReportedProof): string[] {
  if (evidence.length === 0) return [];
  return [
    '',
    ...(evidenceOmitted > 0
      ? [`The last ${evidence.length} of ${evidence.length + evidenceOmitted} requests:`, '']
      : []),
    '| # | sent | answered | key | request | status | limit | remaining | reset |',
    '|---|---|---|---|---|---|---|---|---|',
    ...evidence.map((each) => {
      const { limit, remaining, reset } = each.headers;
      const cells = [
        `#${each.seq}`,
        (each.sent / 1e6).toFixed(3),
        each.answered === null ? '—' : (each.answered / 1e6).toFixed(3),
        each.key ?? 'none',
        `${each.method} ${each.target}`,
        String(each.status ?? each.failure),
        ...[limit, remaining, reset].map(headerText),
      ];
      return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    }),
  ];
}

function mechanismLines(report: Report): string[] {
  if (report.budgets.length === 0) return [];
  const { common, told, unexplained, refuted } = explainBudgets(report);
  const lines = [
    ...(told === null ? [] : [`- ${common.length === 1 ? 'explains all answers: ' : ''}${told}`]),
    ...[...Map.groupBy(unexplained, (each) => each.diagnosis)].map(
      ([diagnosis, budgets]) =>
        `- ${budgets.map(budgetName).join(', ')}: no window mechanism explains it${diagnosis === null ? '' : `; looks like ${inSentence(diagnosis)}`}`,
    ),
    ...refuted.map(({ name, argument, budget }) => `- not ${name} (${budget}): ${argument.join(' ')}`),
  ];
  return lines.length === 0 ? [] : ['', '### How requests are counted', '', ...lines];
}

function guidanceLines(verdict: ReportedVerdict): string[] {
  const guidance = guidanceOn(verdict.id, seenIn(verdict), scopeOf(verdict));
  if (!guidance) return [];
  const list = (texts: readonly string[]): string[] => texts.map((text) => `- ${text}`);
  return [
    '',
    '### What it means',
    '',
    guidance.meaning,
    '',
    'Usual causes:',
    '',
    ...list(guidance.causes),
    '',
    'What to do:',
    '',
    ...list(guidance.remedies),
  ];
}
