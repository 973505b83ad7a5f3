import { OPERATOR_IDS } from '../../deployment/operators.ts';
import { isFalseFailure, type RandomOutcome } from './rate-run.ts';

/** The verdicts on random deployments, in numbers. */
export interface RandomAccuracy {
  /** First seed; the others follow it. */
  readonly seed: number;
  readonly runs: number;
  /** Runs in which nothing deviates, and the seeds of those that failed. */
  readonly conforming: number;
  readonly falseFailures: readonly number[];
  readonly undecided: number;
  /** CPU seconds of judging, at the 99th percentile and at most. */
  readonly seconds: { readonly most: number; readonly percentile: number };
  readonly rows: readonly RandomRow[];
}

/** The verdicts on deployments with one deviation, or of one other category. */
export interface RandomRow {
  readonly name: string;
  readonly drawn: number;
  readonly refutedExactly: number;
  /** Of those that exact moments refute, like the next two. */
  readonly refuted: number;
  readonly named: number;
  /** Of all drawn. */
  readonly wrong: number;
  /** A broken requirement that exact moments refute passes. */
  readonly passed: number;
  /** Seeds of draws that were missed, named wrongly, or got a wrong failure. */
  readonly seeds: readonly number[];
}

/** How many seeds with errors a row keeps: enough to investigate. */
const MOST_SEEDS = 5;

/** Summarises the verdicts on random runs. */
export function summariseRandom(seed: number, outcomes: readonly RandomOutcome[]): RandomAccuracy {
  const conforming = outcomes.filter(({ deviations }) => deviations.length === 0);
  const seconds = outcomes.map((each) => each.seconds).sort((one, other) => one - other);
  const single = (name: string) =>
    outcomes.filter(({ kind, deviations }) => kind === 'one deviation' && deviations[0] === name);
  const outside = outcomes.filter(({ kind }) => kind === 'from outside');
  const strangers = [...new Set(outside.flatMap(({ deviations }) => deviations))].sort();
  return {
    seed,
    runs: outcomes.length,
    conforming: conforming.length,
    falseFailures: conforming.filter(isFalseFailure).map((each) => each.seed),
    undecided: conforming.filter(({ failed, inconclusive }) => failed.length === 0 && inconclusive.length > 0).length,
    seconds: { most: seconds.at(-1) ?? 0, percentile: seconds[Math.floor(seconds.length * 0.99)] ?? 0 },
    rows: [
      ...OPERATOR_IDS.map((id) => rowOf(id, single(id))),
      rowOf(
        'any one deviation',
        // Where the profile left none to draw, the run counts as one of a deployment that conforms.
        outcomes.filter(({ kind, deviations }) => kind === 'one deviation' && deviations.length > 0),
      ),
      rowOf(
        'two deviations',
        outcomes.filter(({ kind, deviations }) => kind === 'two deviations' && deviations.length > 0),
      ),
      ...strangers.map((name) =>
        rowOf(
          `from outside: ${name}`,
          outside.filter(({ deviations }) => deviations[0] === name),
        ),
      ),
    ].filter(({ drawn }) => drawn > 0),
  };
}

function rowOf(name: string, outcomes: readonly RandomOutcome[]): RandomRow {
  const due = outcomes.filter(({ refutedExactly }) => refutedExactly);
  const amiss = outcomes.filter(({ refutedExactly, named, wrong }) => wrong.length > 0 || (refutedExactly && !named));
  return {
    name,
    drawn: outcomes.length,
    refutedExactly: due.length,
    refuted: due.filter(({ failed }) => failed.length > 0).length,
    named: due.filter((each) => each.named).length,
    wrong: outcomes.filter(({ wrong }) => wrong.length > 0).length,
    passed: outcomes.filter(({ passed }) => passed.length > 0).length,
    seeds: amiss.slice(0, MOST_SEEDS).map(({ seed }) => seed),
  };
}

/** The table of random deployments as Markdown. */
export function randomTable({
  seed,
  runs,
  conforming,
  falseFailures,
  undecided,
  seconds,
  rows,
}: RandomAccuracy): string {
  const share = (part: number, whole: number): string =>
    whole === 0 ? '–' : `${part} (${((100 * part) / whole).toFixed(1)} %)`;
  const isFlawless = ({ seeds, passed, refuted, refutedExactly }: RandomRow): boolean =>
    seeds.length === 0 && passed === 0 && refuted === refutedExactly;
  const [flawless, others] = [rows.filter(isFlawless), rows.filter((row) => !isFlawless(row))];
  const cells = others.map(({ name, drawn, refutedExactly, refuted, named, wrong, passed, seeds }) =>
    [
      name,
      drawn,
      refutedExactly,
      share(refuted, refutedExactly),
      name.startsWith('from outside') ? '–' : share(named, refutedExactly),
      share(wrong, drawn),
      passed,
      seeds.join(', '),
    ].join(' | '),
  );
  const alarms = falseFailures.length === 0 ? '' : ` (seeds ${falseFailures.slice(0, 20).join(', ')})`;
  return [
    `- ${runs} runs, seeds ${seed} to ${seed + runs - 1}; in ${conforming} of them nothing deviates: **${falseFailures.length} false failures**${alarms}, ${undecided} left undecided`,
    `- judging takes ${seconds.percentile.toFixed(1)} s of CPU at the 99th percentile, ${seconds.most.toFixed(1)} s at most`,
    `- found as often as exact moments show it, and never misnamed (times found, of those drawn): ${flawless.map(({ name, drawn, refutedExactly }) => `${name} ${refutedExactly}/${drawn}`).join(', ') || 'nothing'}`,
    ...(others.length === 0
      ? []
      : [
          '',
          'All others:',
          '',
          '| deviation | drawn | fails on exact moments | of these, fails as recorded | named correctly | also fails wrongly | passes though broken | seeds to look at |',
          '|---|---|---|---|---|---|---|---|',
          ...cells.map((each) => `| ${each} |`),
        ]),
  ].join('\n');
}
