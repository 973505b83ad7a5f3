import type { RequirementId } from '../catalogue/requirement.ts';
import type { Failure } from '../trace/exchange.ts';
import type { Observation, Opinion, Verdict, VerdictName } from './verdict.ts';

/**
 * What is said of the deployment as a whole.
 *
 * - `conforms`: something passed, nothing failed, and nothing that could be tested was left undecided
 * - `does not conform`: at least one requirement failed
 * - `incomplete`: the run was ended early, or nothing was judged, or a waiver is in error
 * - `inconclusive`: the target or the network got in the way
 */
export type Overall = 'conforms' | 'does not conform' | 'incomplete' | 'inconclusive';

/** Hears which share of the work of a judgement has been done, or need not be done: from 0 to 1, rising. */
export type OnShare = (share: number) => void;

/**
 * What the judge of the limits gives: opinions on HDR-4/5/7/8 and LIMIT-*, facts for LIMIT-O1, and what reports plot.
 */
export interface LimitsJudgement<Budget = unknown> {
  readonly opinions: readonly Opinion[];
  readonly observations: readonly Observation[];
  readonly budgets: readonly Budget[];
  /**
   * What a failure of a part of the run is worth: `final`, that something fails is so whatever else is answered, and
   * what it is the whole run tells best; `by answers`, what fails does so by answers themselves; `open`, more may make
   * up for it.
   */
  readonly failure: 'by answers' | 'final' | 'open';
}

/** Of limits nothing is judged: for requirements that single answers decide. */
export const NOT_OF_LIMITS: LimitsJudgement<never> = { opinions: [], observations: [], budgets: [], failure: 'open' };

/** The one cause that kept a whole run from being judged, such as a target that cannot be reached. */
export interface Obstacle {
  readonly cause: string;
  readonly remedy: string;
}

/** A waiver that is in error: shown in every report, and a run with one is never reported as conforming. */
export interface WaiverProblem {
  readonly code: 'waiver-expired' | 'waiver-unmatched' | 'waiver-unknown';
  /** As the profile has it; it need not name a requirement. */
  readonly requirement: string;
  readonly part: string | null;
  readonly text: string;
  readonly remedy: string;
}

/** The circumstances in which the target was seen. Times are µs of the run's clock. */
export interface Conditions {
  readonly requests: number;
  readonly answered: number;
  /** Requests with no whole answer, by cause. */
  readonly failures: Readonly<Partial<Record<Failure, number>>>;
  /** How many of these were sent with others at once on one connection; left out: none. */
  readonly together?: number;
  /** Requests that were about to be sent when the run was killed: they may have been counted. */
  readonly unanswered: number;
  /** Answers by status, in rising order of status. */
  readonly statuses: readonly { readonly status: number; readonly count: number }[];
  /** Distinct connections. */
  readonly connections: number;
  /** From the first request sent to the last answer; 0 where there was none. */
  readonly duration: number;
  /**
   * The target's clock less the run's, bounded by every `Date` header; null where there was none, or they contradict
   * each other.
   */
  readonly skew: { readonly low: number; readonly high: number } | null;
  /** The system's clock was set while the run lasted. */
  readonly clockSteps: number;
}

/** What a trace shows. A pure function of the trace: judged again, by anyone, it is the same byte for byte. */
export interface Judgement<Budget = unknown> {
  readonly overall: Overall;
  /** 0 conforms, 1 does not conform, 3 incomplete or inconclusive. */
  readonly exitCode: 0 | 1 | 3;
  /** One sentence: the overall result and why. */
  readonly headline: string;
  /** Whether a certificate can be given, and, where not, every reason why. */
  readonly certifiable: { readonly yes: boolean; readonly reasons: readonly string[] };
  /** Null unless nothing could be judged; then every verdict is `inconclusive` for this one cause. */
  readonly obstacle: Obstacle | null;
  /** The run was ended early (or its trace has no end): what was not finished is `inconclusive`. */
  readonly interrupted: boolean;
  /** The run took place in scaled time, so it certifies nothing. */
  readonly scaled: boolean;
  /** Every selected requirement exactly once, in catalogue order. */
  readonly verdicts: readonly Verdict[];
  /** Facts about what the specification leaves open, in catalogue order of their requirement. */
  readonly observations: readonly Observation[];
  readonly counts: Readonly<Record<VerdictName, number>>;
  /** Requirements of the catalogue that were not selected, in catalogue order. */
  readonly unselected: readonly RequirementId[];
  readonly budgets: readonly Budget[];
  readonly conditions: Conditions;
  readonly problems: readonly WaiverProblem[];
}
