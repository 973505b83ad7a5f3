import { COVERAGE } from '../catalogue/coverage.ts';
import type { VerdictName } from '../judge/verdict.ts';
import type { Report, ReportedVerdict } from './report.ts';
import { sentence } from './wording.ts';

/** What was left undecided, with the advice. Requirements with the same advice are named together. */
export interface LeftOpen {
  readonly verdict: VerdictName;
  readonly ids: readonly string[];
  readonly advice: string;
}

/** Undecided requirements by advice; empty if one obstacle, shown elsewhere, kept everything from being judged. */
export function leftOpen(report: Report): LeftOpen[] {
  if (report.result.obstacle !== null) return [];
  const all = report.verdicts.filter(
    (each) => each.level !== 'observed' && (each.verdict === 'not tested' || each.verdict === 'inconclusive'),
  );
  const spared = all.filter((each) => report.run.command === 'check' && needsBudgets(each));
  const open = all.filter((each) => !spared.includes(each));
  const groups = Map.groupBy(open, (each) => `${each.verdict}\n${each.remedy ?? each.summary}`);
  const told = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const seen = first.verdict === 'inconclusive' ? seenOf(group) : [];
    const advice = [
      ...(first.remedy === null && seen.length === 0 ? [first.summary] : seen),
      ...(first.remedy === null ? [] : [first.remedy]),
    ];
    return [{ verdict: first.verdict, ids: group.map((each) => each.id), advice: advice.map(sentence).join(' ') }];
  });
  if (spared.length === 0) return told;
  return [...told, { verdict: 'not tested', ids: spared.map((each) => each.id), advice: BY_CERTIFY }];
}

/** How many obstacles are shown next to one advice. If there are more, each row of the matrix shows its own. */
const MOST_SEEN = 3;

/** The obstacles of the requirements, each once: for reads, for writes. */
function seenOf(group: readonly ReportedVerdict[]): readonly string[] {
  const all = [...new Set(group.map(({ summary }) => summary))];
  const whole = all.filter((one) => !all.some((other) => other !== one && other.includes(one)));
  return whole.length <= MOST_SEEN ? whole : [];
}

const BY_CERTIFY = 'check exhausts no budget. certify does, and tries these.';

/** Whether it was not tested and needs requests that exhaust budgets. */
function needsBudgets({ id, verdict }: ReportedVerdict): boolean {
  return verdict === 'not tested' && COVERAGE[id].experiments.includes('budgets');
}
