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
  const said = new Map<string, string>();
  const failed = report.verdicts.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  const told = ofOneCause(open)
    .flatMap(bySummary)
    .flatMap((group) => {
      const [first] = group;
      if (!first) return [];
      const seen = first.verdict === 'inconclusive' ? seenOf(group) : [];
      const advice = [
        ...[partlyText(first)].filter((each) => each !== ''),
        ...(first.remedy === null && seen.length === 0 ? [first.summary] : seen),
        ...remedyOnce(group, first.id, said, failed),
      ];
      return [{ verdict: first.verdict, ids: group.map((each) => each.id), advice: advice.map(sentence).join(' ') }];
    });
  if (spared.length === 0) return told;
  return [...told, { verdict: 'not tested', ids: spared.map((each) => each.id), advice: BY_CERTIFY }];
}

/**
 * The requirements with the same advice; and with them those of which it says all: what keeps reads and writes
 * undecided also says what keeps either so.
 */
function ofOneCause(open: readonly ReportedVerdict[]): readonly (readonly ReportedVerdict[])[] {
  const adviceOf = (each: ReportedVerdict): string => `${each.verdict}\n${each.remedy ?? each.summary}`;
  const groups = [...Map.groupBy(open, adviceOf)]
    .map(([advice, own]) => ({ advice, texts: new Set(own.flatMap(textsOf)) }))
    .toSorted((one, other) => other.texts.size - one.texts.size);
  const whole = (each: ReportedVerdict): string =>
    groups.find(({ texts }) => each.verdict === 'inconclusive' && textsOf(each).every((text) => texts.has(text)))
      ?.advice ?? adviceOf(each);
  return [...Map.groupBy(open, whole).values()];
}

function textsOf({ verdict, summary, remedy }: ReportedVerdict): readonly string[] {
  return [summary, remedy ?? ''].flatMap(sentencesOf).map((text) => `${verdict}: ${text}`);
}

function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?]) (?=[A-Z])/);
}

/**
 * The remedies of a group without the steps that an earlier row has: for these, it names the failures that they are
 * about, or the earlier row.
 *
 * @param said the steps so far, each with the requirement that it was said for; new ones are added
 */
function remedyOnce(
  group: readonly ReportedVerdict[],
  id: string,
  said: Map<string, string>,
  failed: readonly string[],
): readonly string[] {
  const remedies = group.flatMap(({ remedy }) => remedy ?? []);
  const steps = [...new Set(remedies.flatMap(sentencesOf).flatMap((each) => each.split('; ')))];
  const fresh = steps.filter((each) => !said.has(sentence(each)));
  const others = new Set(
    steps.flatMap((each) => {
      const row = said.get(sentence(each));
      const about = failed.filter((failure) => new RegExp(`\\b${failure}\\b`).test(each));
      return row !== undefined && about.length > 0 ? about : (row ?? []);
    }),
  );
  for (const each of fresh) said.set(sentence(each), id);
  return [
    ...fresh,
    ...(others.size === 0 ? [] : [`${fresh.length === 0 ? 'See' : 'See also'} ${listed([...others])}.`]),
  ];
}

/**
 * Of requirements with the same advice, those of which the same was seen: what is seen of one must not seem to be said
 * of another. Those of which all is said with another stay with it.
 */
function bySummary(group: readonly ReportedVerdict[]): readonly (readonly ReportedVerdict[])[] {
  if (group[0]?.verdict === 'not tested') return [...Map.groupBy(group, partlyText).values()];
  const seen = wholeOf(group);
  if (group[0]?.verdict !== 'inconclusive' || seen.length > MOST_SEEN) return [group];
  const own = ({ summary }: ReportedVerdict): string => seen.find((each) => each.includes(summary)) ?? summary;
  return [...Map.groupBy(group, own).values()];
}

/** How many obstacles are shown next to one advice. If there are more, each row of the matrix shows its own. */
const MOST_SEEN = 3;

/** The obstacles of the requirements, each once: for reads, for writes. */
function seenOf(group: readonly ReportedVerdict[]): readonly string[] {
  const whole = wholeOf(group);
  return whole.length <= MOST_SEEN ? [...new Set(whole.flatMap(sentencesOf))] : [];
}

/** `It passes for 200 and 401, and was not tested for 403`, where that is so; else nothing. */
function partlyText({ verdict, parts }: ReportedVerdict): string {
  const [passed, untested] = (['pass', 'not tested'] as const).map((wanted) =>
    parts.filter((each) => each.verdict === wanted).map(({ name }) => name),
  );
  if (verdict !== 'not tested' || !passed?.length || !untested?.length) return '';
  return `It passes for ${fewOf(passed)}, and was not tested for ${fewOf(untested)}`;
}

/** Names in words: of many, the first ones and how many more there are. */
function fewOf(names: readonly string[]): string {
  return listed(names.length > MOST_NAMED ? [...names.slice(0, 4), `${names.length - 4} more`] : names);
}

/** The statuses of clause 7 are named, and of many operations only some. */
const MOST_NAMED = 7;

const BY_CERTIFY = 'check exhausts no budget. certify does, and tries these.';

/** Whether it was not tested and needs requests that exhaust budgets. */
function needsBudgets({ id, verdict }: ReportedVerdict): boolean {
  return verdict === 'not tested' && COVERAGE[id].experiments.includes('budgets');
}

/** The summaries, without those that others contain. */
function wholeOf(group: readonly ReportedVerdict[]): readonly string[] {
  const all = [...new Set(group.map(({ summary }) => summary))];
  return all.filter((one) => !all.some((other) => other !== one && other.includes(one)));
}
