import type { RequirementId } from '../catalogue/requirement.ts';
import { printable } from '../report/printable.ts';
import type { Report, ReportedProof } from '../report/report.ts';
import { headerText } from '../report/wording.ts';

/** The argument for one verdict, request by request, in Markdown that can be pasted into a bug report. */
export function explain(report: Report, id: RequirementId): string {
  const verdict = report.verdicts.find((each) => each.id === id);
  if (!verdict) return `${id} was not selected in this run.\n`;
  const lines = [
    `## ${id}: ${verdict.verdict}`,
    '',
    `> ${verdict.statement} (clause ${verdict.clauses.join(', ')}, ${verdict.level})`,
    '',
    verdict.summary,
    ...(verdict.remedy === null ? [] : ['', `To do: ${verdict.remedy}`]),
    ...verdict.parts.map((part) => `- ${part.name}: ${part.verdict}. ${part.summary}`),
    ...verdict.notes.map((note) => `- note: ${note}`),
    ...verdict.proofs.flatMap((proof, index) => proofLines(proof, index, verdict.proofs.length)),
  ];
  if (id.startsWith('LIMIT-') || id.startsWith('HDR-')) lines.push(...mechanismLines(report));
  return `${lines.map(printable).join('\n')}\n`;
}

function proofLines(proof: ReportedProof, index: number, count: number): string[] {
  return [
    '',
    `### Proof${count > 1 ? ` ${index + 1} of ${count}` : ''}${proof.diagnosis === null ? '' : `: ${proof.diagnosis}`}`,
    '',
    `Expected: ${proof.expected}`,
    `Received: ${proof.received}`,
    '',
    ...proof.argument.map((sentence, step) => `${step + 1}. ${sentence}`),
    '',
    '| # | sent (s) | answered (s) | request | key | status | Limit | Remaining | Reset |',
    '|---|---|---|---|---|---|---|---|---|',
    ...proof.evidence.map((each) => {
      const { limit, remaining, reset } = each.headers;
      const cells = [
        each.seq,
        (each.sent / 1e6).toFixed(3),
        each.answered === null ? '–' : (each.answered / 1e6).toFixed(3),
        `${each.method} ${each.target}`,
        each.key ?? 'none',
        each.status ?? each.failure,
        ...[limit, remaining, reset].map(headerText),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
    ...(proof.curl === null ? [] : ['', '```sh', proof.curl, '```']),
  ];
}

function mechanismLines({ budgets }: Report): string[] {
  return budgets.flatMap(({ key, kind, mechanisms, refuted, diagnosis }) => [
    '',
    `### Mechanisms tried on ${key}, ${kind}s`,
    '',
    ...(diagnosis === null ? [] : [`Looks like: ${diagnosis}`]),
    ...mechanisms.map(
      ({ name, parameters }) =>
        `- explains everything: ${name}${parameters.map((each) => `; ${each.name} ${each.value}`).join('')}`,
    ),
    ...refuted.map(
      ({ name, argument, evidence }) =>
        `- refuted: ${name}: ${argument.join(' ')} (${evidence.map((seq) => `#${seq}`).join(', ')})`,
    ),
  ]);
}
