/**
 * What a load run adds to the report: figures that a client's machine measured, in addition to the verdicts. Every count is of requests.
 * `src/load` fills it from the merged trace; the formats under `src/report` only show it.
 */
export interface LoadSection {
  /** Scenario as on the command line, such as `quota-read`, `boundary`, `soak`. */
  readonly scenario: string;
  readonly seconds: number;
  /** How many requests were planned, sent, recorded and given up. The figures are complete only if these agree. */
  readonly accounting: {
    readonly due: number;
    readonly sent: number;
    readonly recorded: number;
    readonly dropped: number;
    readonly unanswered: number;
  };
  /** Requests per second over the whole run: sent, and accepted. */
  readonly throughput: { readonly sent: number; readonly accepted: number };
  /** Worst first. Their number is limited; `windowsOmitted` says how many more there are, all of them within the limit. */
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

/** One window of one key and kind under load. */
export interface LoadWindow {
  readonly key: string;
  readonly kind: 'read' | 'write';
  /** Milliseconds from the start of the run. */
  readonly start: number;
  readonly end: number;
  readonly limit: number;
  readonly accepted: number;
  readonly refused: number;
  /** Accepted over the limit: must be 0. */
  readonly overshoot: number;
  /** Refused although the limit had not been reached: must be 0. */
  readonly undershoot: number;
}

/** Latency of the answers with one status, in milliseconds from the last byte sent to the head received. */
export interface LatencyByStatus {
  readonly status: number | null;
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
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
