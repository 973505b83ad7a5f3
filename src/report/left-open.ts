import { COVERAGE } from '../catalogue/coverage.ts';
import type { VerdictName } from '../judge/verdict.ts';
import type { Report, ReportedVerdict } from './report.ts';
import { sentence } from './wording.ts';

/** What was left undecided, with the advice. Requirements for which the same is to be done are named together. */
export interface LeftOpen {
  readonly verdict: VerdictName;
  readonly ids: readonly string[];
  readonly advice: string;
}

/** Undecided requirements by what to do; empty where one obstacle, told elsewhere, kept everything from being judged. */
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
    // What came in the way is told where it is one thing; each row of the matrix tells its own.
    const alike = first.verdict === 'inconclusive' && group.every(({ summary }) => summary === first.summary);
    const advice = [
      ...(alike || first.remedy === null ? [first.summary] : []),
      ...(first.remedy === null ? [] : [first.remedy]),
    ];
    return [{ verdict: first.verdict, ids: group.map((each) => each.id), advice: advice.map(sentence).join(' ') }];
  });
  if (spared.length === 0) return told;
  return [...told, { verdict: 'not tested', ids: spared.map((each) => each.id), advice: BY_CERTIFY }];
}

const BY_CERTIFY = 'check exhausts no budget. certify does, and tries these.';

/** Whether it was not tested, and takes requests that use budgets up. */
function needsBudgets({ id, verdict }: ReportedVerdict): boolean {
  return verdict === 'not tested' && COVERAGE[id].experiments.includes('budgets');
}
