import type { VerdictName } from '../judge/verdict.ts';
import type { Report } from './report.ts';
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
  const open = report.verdicts.filter(
    (each) => each.level !== 'observed' && (each.verdict === 'not tested' || each.verdict === 'inconclusive'),
  );
  const groups = Map.groupBy(open, (each) => `${each.verdict}\n${each.remedy ?? each.summary}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    // What came in the way is told where it is one thing; each row of the matrix tells its own.
    const told = first.verdict === 'inconclusive' && group.every(({ summary }) => summary === first.summary);
    const advice = [
      ...(told || first.remedy === null ? [first.summary] : []),
      ...(first.remedy === null ? [] : [first.remedy]),
    ];
    return [{ verdict: first.verdict, ids: group.map((each) => each.id), advice: advice.map(sentence).join(' ') }];
  });
}
