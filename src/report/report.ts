import type { Coverage } from '../catalogue/coverage.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import type { Conditions as ConditionsFound, Judgement, WaiverProblem } from '../judge/judgement.ts';
import type { Observation, Proof, Verdict } from '../judge/verdict.ts';
import type { BudgetAnalysis, RefutedVariant } from '../oracle/analysis.ts';
import type { CoverageCount } from '../plan/coverage-count.ts';
import type { Waiver } from '../profile/profile.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { LeftOut } from '../trace/left-out.ts';
import type { PlannedExperiment, TraceHeader } from '../trace/trace.ts';
import type { LoadSection, WindowCounts } from './load-section.ts';

/** Version of the report format: readers refuse another major. Its schema is `schema/report.schema.json`. */
export const REPORT_FORMAT = '1.0';

/**
 * `report.json`: everything that the suite says about a run. It is made only from the trace (`makeReport`), and every
 * other format only from it, so no format can say anything else.
 */
export interface Report {
  readonly format: string;
  readonly suite: TraceHeader['suite'];
  readonly target: { readonly name: string; readonly version: string | null; readonly baseUrl: string };
  readonly result: Result;
  readonly run: Run;
  /**
   * SHA-256 in hex: of the trace's bytes, the normalised profile, the catalogue; and the head of the trace's hash
   * chain.
   */
  readonly digests: Readonly<Record<'trace' | 'profile' | 'catalogue', string>> & { readonly chain: string | null };
  /** Every selected requirement once, in the order of the catalogue. */
  readonly verdicts: readonly ReportedVerdict[];
  /** What the specification leaves open, as found. */
  readonly observations: readonly Observation[];
  readonly budgets: readonly ReportedBudget[];
  /** Budgets left out of `budgets` to limit its size: none of them shows a contradiction that a listed one does not. */
  readonly budgetsOmitted: number;
  readonly waivers: readonly ReportedWaiver[];
  readonly conditions: Conditions;
  readonly experiments: readonly ReportedExperiment[];
  /** How much of what each requirement demands was tried; empty for runs that follow no plan. */
  readonly coverage: readonly ReportedCoverage[];
  /** Waivers in error: expired, stale or unknown. */
  readonly problems: readonly Pick<WaiverProblem, 'code' | 'text' | 'remedy'>[];
  /** Requirements of the catalogue that were not selected for the run. */
  readonly unselected: readonly RequirementId[];
  readonly load: LoadSection | null;
}

export interface Result extends Pick<Judgement, 'overall' | 'exitCode' | 'obstacle' | 'counts'> {
  /** One sentence: the overall result and why. */
  readonly reason: string;
  readonly certifiable: boolean;
  /** Why no certificate can be given; empty if one can. */
  readonly blockers: readonly string[];
}

export interface Run extends Pick<TraceHeader, 'command' | 'scale' | 'seed' | 'nonce' | 'runtime'> {
  /** ISO 8601, UTC. */
  readonly started: string;
  /** Length of the run on its own clock, in seconds. */
  readonly seconds: number;
  /** `cut short`: the trace has no footer, so the run was killed. */
  readonly outcome: 'complete' | 'interrupted' | 'cut short';
  /** Why it was interrupted; absent if it was not. */
  readonly interruption?: string;
}

/** The verdict on a requirement, as far as it is shown, with the catalogue's data about it. */
export interface ReportedVerdict extends Omit<Verdict, 'proofs'> {
  readonly title: string;
  readonly statement: string;
  readonly dependsOn: readonly string[];
  readonly proofs: readonly ReportedProof[];
  readonly proofsOmitted: number;
  /** Requirements that could not be judged because this one failed. */
  readonly suppresses: readonly RequirementId[];
  /**
   * If it fails: the command, for the folder of the run, that sends again the shortest sequence that shows it; else
   * null.
   */
  readonly replay: string | null;
  /** The same sequence as a shell script of curl commands, with `$SIZE_CHART_KEYS` for keys. */
  readonly script: string | null;
}

/** The proof of a failure, self-contained: if there are many exchanges, it has the last ones. */
export interface ReportedProof extends Omit<Proof, 'evidence'> {
  readonly evidence: readonly Exchange[];
  readonly evidenceOmitted: number;
}

/** One key's budget of one kind: what was found, and a series to plot. Times in ms from the start of the run. */
export interface ReportedBudget extends Pick<BudgetAnalysis, 'key' | 'kind' | 'limit' | 'diagnosis'> {
  readonly requests: number;
  readonly accepted: number;
  readonly refused: number;
  /** Mechanisms that explain the whole history, most specific first. */
  readonly mechanisms: readonly Mechanism[];
  /** Mechanisms that do not explain it, each with its refutation; the best ones first. */
  readonly refuted: readonly RefutedMechanism[];
  readonly windows: readonly ReportedWindow[];
  readonly series: Series;
}

export interface Mechanism {
  readonly name: string;
  /** Its inferred properties, such as `window: 59.98–60.02 s`, in display order. */
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
}

/** With the sentences that lead to the contradiction, and the requests (`seq`) that they are based on. */
export interface RefutedMechanism extends Pick<RefutedVariant, 'argument' | 'evidence'> {
  readonly name: string;
}

/**
 * A window found. Its ends are the middles of the intervals to which they are known, `uncertainty` half their width.
 */
export interface ReportedWindow extends WindowCounts {
  readonly start: number;
  readonly end: number;
  readonly uncertainty: number;
}

/** A history thinned to what a plot can show. Parallel arrays, in order of `sent`. */
export interface Series {
  readonly time: readonly number[];
  /** `X-RateLimit-Remaining` as received; null if absent or not an integer. */
  readonly remaining: readonly (number | null)[];
  /** Least and greatest value that the best mechanism allows; null if it predicts none. */
  readonly predictedLow: readonly (number | null)[];
  readonly predictedHigh: readonly (number | null)[];
  /** One letter per exchange: `a` accepted, `r` refused, `o` another answer, `u` unanswered. */
  readonly outcome: string;
  /** Distinct reset markers on the run's clock, in ms. */
  readonly markers: readonly number[];
  /** Exchanges that the series stands for. */
  readonly of: number;
}

export interface ReportedWaiver extends Waiver {
  /** Whole days left on the day of the run; negative: expired. */
  readonly daysLeft: number;
  /** Whether it covers a failure of this run. */
  readonly used: boolean;
}

export interface Conditions
  extends Pick<ConditionsFound, 'requests' | 'connections' | 'failures' | 'together' | 'unanswered'> {
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Server clock minus ours, in ms, bounded by the `Date` headers; null: no such header. */
  readonly skew: { readonly low: number; readonly high: number } | null;
  /** Round trip from the last byte sent to the head received, in ms; null: nothing was answered. */
  readonly roundTrip: Readonly<Record<'p50' | 'p99' | 'max', number>> | null;
  readonly keys: TraceHeader['keys'];
  readonly timeouts: { readonly connectMs: number; readonly responseMs: number };
  /** Requests of the plan that could not be sent, and why; absent if there are none. */
  readonly leftOut?: readonly LeftOut[];
  /** Interruptions, clock steps and experiments that failed, in words. */
  readonly notes: readonly string[];
}

export type ReportedExperiment = Pick<PlannedExperiment, 'id' | 'requirements' | 'requests' | 'seconds' | 'omitted'>;

/** How much of what a requirement demands was tried, by which experiments, and which judge decides. */
export interface ReportedCoverage extends CoverageCount, Pick<Coverage, 'experiments' | 'judge'> {}

/** The bytes of `report.json`: the same for the same report. Lists of numbers take one line each. */
export function serialiseReport(report: Report): string {
  // No string can match: JSON escapes the line breaks inside them.
  const numbers = /\[\n\s+(?:(?:-?[\d.e+-]+|null),?\n\s+)+\]/g;
  const text = JSON.stringify(report, null, 2).replace(numbers, (list) =>
    list.replace(/\n\s+/g, '').replaceAll(',', ', '),
  );
  return `${text}\n`;
}
