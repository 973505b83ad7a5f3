import type { VerdictName } from '../judge/verdict.ts';
import { budgetName, explain } from './explanation.ts';
import { placeOf, wordsFor } from './observation-name.ts';
import { printable } from './printable.ts';
import type { Report } from './report.ts';
import { headline, plural } from './wording.ts';

/** What changed from one report to another. */
export interface Comparison {
  readonly verdicts: readonly VerdictChange[];
  readonly mechanisms: readonly ValueChange[];
  readonly observations: readonly ValueChange[];
  readonly load: readonly ValueChange[];
  /**
   * Why the two cannot be compared as equals (another catalogue, another command, a run that is not complete); empty
   * where they can.
   */
  readonly cautions: readonly string[];
  /** 1 where something got worse: a requirement that passed no longer does, or a limit that held under load broke. */
  readonly exitCode: 0 | 1;
}

export interface VerdictChange {
  readonly id: string;
  readonly before: VerdictName | 'absent';
  readonly after: VerdictName | 'absent';
  readonly change: 'regression' | 'improvement' | 'other';
  readonly summary: string;
}

export interface ValueChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly regression: boolean;
}

/**
 * How good a verdict is. Going down is a regression; a pass that is lost is one whatever it became. What is undecided
 * is neither better nor worse for having been tried.
 */
const RANK: Readonly<Record<VerdictName | 'absent', number>> = {
  pass: 4,
  waived: 3,
  observed: 3,
  'not tested': 2,
  absent: 2,
  inconclusive: 2,
  fail: 0,
};

/**
 * Compares two reports, `before` and `after`. Latency is shown and never a regression: it says nothing of conformance.
 */
export function compareReports(before: Report, after: Report): Comparison {
  const verdicts = verdictChanges(before, after);
  const load = loadChanges(before, after);
  const regressed = verdicts.some((each) => each.change === 'regression') || load.some((each) => each.regression);
  return {
    verdicts,
    mechanisms: changes(mechanismsOf(before), mechanismsOf(after)),
    observations: changes(observationsOf(before), observationsOf(after)),
    load,
    cautions: cautions(before, after),
    exitCode: regressed ? 1 : 0,
  };
}

/** The comparison as text. */
export function comparisonText(before: Report, after: Report, comparison: Comparison): string {
  const { verdicts, mechanisms, observations, load } = comparison;
  const regressions =
    verdicts.filter((each) => each.change === 'regression').length + load.filter((each) => each.regression).length;
  const improvements = verdicts.filter((each) => each.change === 'improvement').length;
  const nothing = verdicts.length + mechanisms.length + observations.length + load.length === 0;
  const first = nothing
    ? 'Nothing changed.'
    : `${plural(regressions, 'regression')}, ${plural(improvements, 'improvement')}.`;
  return `${[
    first,
    ...comparison.cautions.map((each) => `! ${each}`),
    '',
    `before  ${printable(headline(before))}`,
    `after   ${printable(headline(after))}`,
    ...block('Verdicts', verdictLines(verdicts)),
    ...block('Mechanism', mechanisms.map(valueLine)),
    ...block('Observations', observations.map(inWords).map(valueLine)),
    ...block('Load', load.map(valueLine)),
  ].join('\n')}\n`;
}

const SIGN = { regression: '↓', improvement: '↑', other: '·' };

/** The changes, what got worse first. Each reason is said once, after all requirements for which it holds. */
function verdictLines(verdicts: readonly VerdictChange[]): readonly string[] {
  const order = Object.keys(SIGN);
  const worstFirst = verdicts.toSorted((a, b) => order.indexOf(a.change) - order.indexOf(b.change));
  return [...Map.groupBy(worstFirst, ({ summary }) => summary)].flatMap(([summary, own]) => {
    const lines = [...Map.groupBy(own, (each) => `${each.before} → ${each.after}`)].map(([change, alike]) => {
      const sign = alike[0] === undefined ? '' : SIGN[alike[0].change];
      return `${sign} ${alike.map(({ id }) => id).join(', ')}: ${change}`;
    });
    if (summary === '') return lines;
    return lines.length === 1 ? [`${lines[0]}  ${printable(summary)}`] : [...lines, `    ${printable(summary)}`];
  });
}

function verdictChanges(before: Report, after: Report): VerdictChange[] {
  const old = new Map(before.verdicts.map((each) => [each.id as string, each]));
  const now = new Map(after.verdicts.map((each) => [each.id as string, each]));
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((id) => {
    const was = old.get(id)?.verdict ?? 'absent';
    const is = now.get(id)?.verdict ?? 'absent';
    if (was === is) return [];
    const observed = was === 'observed' || is === 'observed';
    const change = observed || RANK[is] === RANK[was] ? 'other' : RANK[is] < RANK[was] ? 'regression' : 'improvement';
    return [{ id, before: was, after: is, change, summary: now.get(id)?.summary ?? '' } as const];
  });
}

/**
 * What the budgets say together, and those that nothing explains: what a single budget leaves open differs by chance.
 */
function mechanismsOf(report: Report): Map<string, string> {
  const { isTold, told, unexplained } = explain(report);
  return new Map([
    ['all budgets', isTold ? (told ?? 'no window mechanism explains them') : 'not decided by this run'],
    ...unexplained.map((each): [string, string] => [budgetName(each), each.diagnosis ?? 'unexplained']),
  ]);
}

/** What was found, but for the mechanism, which has its own list. */
function observationsOf(report: Report): Map<string, string> {
  const others = report.observations.filter((each) => !each.name.startsWith('mechanism'));
  return new Map(others.map((each) => [`${each.requirement} ${each.name}`, each.value]));
}

/** With the name of the observation in words, without the marks around code: a terminal shows none. */
function inWords(change: ValueChange): ValueChange {
  const [requirement = '', observation = ''] = change.name.split(' ');
  const { name, budget } = placeOf(observation);
  const words = [wordsFor(name).replaceAll('`', ''), budget].filter((each) => each !== '').join(', ');
  return { ...change, name: `${requirement} ${words}` };
}

/**
 * Differences between two tables of facts: a fact that is missing on one side is no change (another plan, fewer keys).
 */
function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): ValueChange[] {
  return [...before].flatMap(([name, was]) => {
    const is = after.get(name) ?? was;
    return unmeasured(is) === unmeasured(was) ? [] : [{ name, before: was, after: is, regression: false }];
  });
}

/** A fact without what is measured anew in each run (times, and counts "of 245"), which never comes out the same. */
function unmeasured(value: string): string {
  return value.replace(/-?\d+(?:\.\d+)?(?= to | ?(?:ms|s)\b)|(?<=\bof )\d+/g, '#');
}

/** What limits under load got wrong: each must be 0, and more of it than before is a regression. */
const WRONG = { overshoot: 'requests accepted over the limit', undershoot: 'requests refused below the limit' };

function loadChanges(before: Report, after: Report): ValueChange[] {
  const wrong = Object.values(WRONG);
  return changes(figuresOf(before), figuresOf(after)).map((each) => {
    return { ...each, regression: wrong.includes(each.name) && Number(each.after) > Number(each.before) };
  });
}

function figuresOf({ load }: Report): Map<string, string> {
  if (!load) return new Map();
  const total = (wrong: keyof typeof WRONG): number => load.windows.reduce((sum, window) => sum + window[wrong], 0);
  const figures: [string, number][] = [
    [WRONG.overshoot, total('overshoot')],
    [WRONG.undershoot, total('undershoot')],
    ['requests sent per second', Math.round(load.throughput.sent * 10) / 10],
    ['requests accepted per second', Math.round(load.throughput.accepted * 10) / 10],
    ['requests dropped', load.accounting.dropped],
    ...load.latency.map(({ status, p99 }): [string, number] => [`p99 of ${status ?? 'no answer'}, ms`, p99]),
  ];
  return new Map(figures.map(([name, value]) => [name, String(value)]));
}

function cautions(before: Report, after: Report): string[] {
  const [url, otherUrl] = [before.target.baseUrl, after.target.baseUrl].map(printable);
  const [first, second] = [before.run, after.run];
  return [
    before.digests.catalogue !== after.digests.catalogue && 'The two runs were judged by different catalogues.',
    url !== otherUrl && `The targets differ: ${url} and ${otherUrl}.`,
    first.command !== second.command &&
      `The first run is of ${first.command}, the second of ${second.command}: they do not test the same requirements.`,
    first.scale !== second.scale && 'One of the runs did not take place in real time.',
    ...[first, second].map((run) => run.outcome !== 'complete' && `The run of ${run.started} is not complete.`),
  ].filter((each) => each !== false);
}

function block(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

function valueLine(change: ValueChange): string {
  return `${change.regression ? '↓' : '·'} ${printable(change.name)}: ${printable(change.before)} → ${printable(change.after)}`;
}
