import type { BudgetAnalysis, BudgetWindow } from '../oracle/analysis.ts';

/**
 * What a load run adds to the report: figures that a client's machine measured, in addition to the verdicts. Every
 * count is of requests. `src/load` fills it from the merged trace; the formats under `src/report` only show it.
 */
export interface LoadSection {
  /** Scenario as on the command line, such as `quota-read`, `boundary`, `soak`. */
  readonly scenario: string;
  readonly seconds: number;
  /** How many requests were planned, sent, recorded and given up. The figures are complete only if these agree. */
  readonly accounting: Readonly<Record<'due' | 'sent' | 'recorded' | 'dropped' | 'unanswered', number>>;
  /** Requests per second over the whole run: sent, and accepted. */
  readonly throughput: { readonly sent: number; readonly accepted: number };
  /**
   * Worst first. Their number is limited; `windowsOmitted` says how many more there are, all of them within the limit.
   */
  readonly windows: readonly LoadWindow[];
  readonly windowsOmitted: number;
  /** One entry per status; `null` stands for requests without an answer. */
  readonly latency: readonly LatencyByStatus[];
  readonly bursts: readonly Burst[];
  /** Results of a rising rate; null if the scenario has none. */
  readonly ramp: RampFigures | null;
  readonly instances: readonly Instance[];
  /** Why the figures are not reliable (a missing instance, dropped iterations); empty if they are. */
  readonly warnings: readonly string[];
}

/** What happened in a window: its `overshoot` and `undershoot` must be 0. */
export type WindowCounts = Pick<BudgetWindow, 'accepted' | 'refused' | 'overshoot' | 'undershoot'>;

/** One window of one key and kind under load. */
export interface LoadWindow extends Pick<BudgetAnalysis, 'key' | 'kind' | 'limit'>, WindowCounts {
  /** Milliseconds from the start of the run. */
  readonly start: number;
  readonly end: number;
}

/** Latency of the answers with one status, in milliseconds from the last byte sent to the head received. */
export interface LatencyByStatus
  extends Readonly<Record<'count' | 'p50' | 'p90' | 'p95' | 'p99' | 'p999' | 'max', number>> {
  readonly status: number | null;
}

/** How the target took a rising rate. Rates are of requests due per second, in the middle of a step. */
export interface RampFigures {
  readonly steps: readonly RampStep[];
  /** The rate from which on the p95 is more than twice the median of the steps before, until the end. Null: none. */
  readonly knee: number | null;
  /** Rate of the first step with a 429; null: none has. */
  readonly refusedFrom: number | null;
  /** Rate of the first step with a 5xx or a request without an answer; null: none has. */
  readonly failedFrom: number | null;
}

export interface RampStep {
  readonly rate: number;
  readonly requests: number;
  /** Milliseconds; null if nothing was answered. */
  readonly p95: number | null;
  readonly refused: number;
  readonly failed: number;
}

/** A burst as it was actually delivered. */
export interface Burst {
  /** Milliseconds from the start of the run. */
  readonly due: number;
  readonly requests: number;
  /** Milliseconds between the first and the last request sent. */
  readonly spread: number;
  /** Milliseconds by which the last request was sent later than planned. */
  readonly late: number;
}

/** One load generator whose trace is part of the run. */
export interface Instance {
  readonly name: string;
  readonly requests: number;
  /** Its clock against the first instance's, in milliseconds, with its uncertainty; null: not measured. */
  readonly clock: { readonly offset: number; readonly uncertainty: number } | null;
}
