import { COVERAGE } from '../catalogue/coverage.ts';
import { listed } from '../deployment/operator.ts';
import type { VerdictName } from '../judge/verdict.ts';
import type { Report, ReportedVerdict } from './report.ts';
import { isUndecided, sentence } from './wording.ts';

/**
 * What was left undecided, with the advice. Requirements with the same advice are named together, and no remedy is said
 * twice.
 */
export interface LeftOpen {
  readonly verdict: VerdictName;
  readonly ids: readonly string[];
  readonly advice: string;
}

/** Undecided requirements by advice; empty if one obstacle, shown elsewhere, kept everything from being judged. */
export function leftOpen(report: Report): LeftOpen[] {
  if (report.result.obstacle !== null) return [];
  const all = report.verdicts.filter(isUndecided);
  const spared = all.filter((each) => report.run.command === 'check' && needsBudgets(each));
  const open = all.filter((each) => !spared.includes(each));
  const groups = Map.groupBy(open, (each) => `${each.verdict}\n${each.remedy ?? each.summary}`);
  const said = new Map<string, string>();
  const told = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const seen = first.verdict === 'inconclusive' ? seenOf(group) : [];
    const advice = [
      ...(first.remedy === null && seen.length === 0 ? [first.summary] : seen),
      ...(first.remedy === null ? [] : remedyOnce(first.remedy, first.id, said)),
    ];
    return [{ verdict: first.verdict, ids: group.map((each) => each.id), advice: advice.map(sentence).join(' ') }];
  });
  if (spared.length === 0) return told;
  return [...told, { verdict: 'not tested', ids: spared.map((each) => each.id), advice: BY_CERTIFY }];
}

/**
 * A remedy without the steps that an earlier row has: for these, it names the earlier row.
 *
 * @param said the steps so far, each with the requirement that it was said for; new ones are added
 */
function remedyOnce(remedy: string, id: string, said: Map<string, string>): readonly string[] {
  const steps = remedy.split('; ');
  const fresh = steps.filter((each) => !said.has(sentence(each)));
  const others = new Set(steps.flatMap((each) => said.get(sentence(each)) ?? []));
  for (const each of fresh) said.set(sentence(each), id);
  return [
    ...(fresh.length === 0 ? [] : [fresh.join('; ')]),
    ...(others.size === 0 ? [] : [`${fresh.length === 0 ? 'Do' : 'Also do'} the same as for ${listed([...others])}.`]),
  ];
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
