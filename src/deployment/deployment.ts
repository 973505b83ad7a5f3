import { WINDOW_S } from '../catalogue/limits.ts';
import type { Kind } from '../trace/exchange.ts';
import type { Deviation } from './operators.ts';

/** One second in µs, the unit of every time in a deployment. */
export const SECOND = 1_000_000;
/** The shortest quota of which no run sees the end. */
export const HOUR = 3600 * SECOND;

/** The window that the specification states (clause 8): one minute, in µs. */
export const WINDOW = WINDOW_S * SECOND;

/** The answer of an operation to an accepted key with budget left. */
export type Due = 200 | 400 | 403 | 404 | 500;

/**
 * How a limiter treats a request that fails for a reason other than its budget.
 *
 * - `counted`: like any other
 * - `checked`: refused if the budget is spent, otherwise not counted
 * - `bypassed`: never counted and never refused
 * - `refunded`: counted when it arrives, and uncounted when it is answered
 */
export type Treatment = 'counted' | 'checked' | 'bypassed' | 'refunded';

/**
 * The start of a grid of windows: on whole minutes, with the process, by the key's name, or at the first request ever
 * on a budget.
 */
export type PhaseName = 'clock' | 'process' | 'key-hash' | 'first-request';

/**
 * What the marker of a sliding log is one window after: the oldest entry, the entry whose end frees the next slot (the
 * same as long as refusals are not logged), the newest one, when all that was used is back, or the request itself.
 */
export type LogReset = 'oldest' | 'slot' | 'newest' | 'now';

/** How the weighted count of a counter's previous bucket is rounded before the comparison; `real`: not rounded. */
export type CounterRounding = 'floor' | 'round' | 'ceil' | 'real';

/**
 * Where a counter's marker points: to the end of the bucket; to the next moment at which the share of the bucket before
 * falls by one, or the bucket ends, as the Python package `limits` has it (`get_window_stats`); or one window from now,
 * as those write it whose limiter tells a rate and no bucket (HAProxy's stick tables).
 */
export type CounterReset = 'bucket' | 'slot' | 'now';

/** An admissible mechanism with its options. */
export type Mechanism =
  | { readonly name: 'grid'; readonly phase: PhaseName }
  /** `opens`: whose requests begin a window; left out: those of the budget. */
  | { readonly name: 'anchored'; readonly wholeSecond: boolean; readonly opens?: 'any of the key' | 'any' }
  /** A budget's own grid, which starts again after the store has removed the last window. */
  | { readonly name: 'swept' }
  /** `step`: how much time is taken as one moment, its beginning, in µs; left out: none. */
  | { readonly name: 'log'; readonly logRefused: boolean; readonly reset: LogReset; readonly step?: number }
  | {
      readonly name: 'counter';
      readonly phase: PhaseName;
      readonly rounding: CounterRounding;
      readonly latch: boolean;
      readonly reanchor: boolean;
      readonly countRefused?: boolean;
      readonly reset?: CounterReset;
    };

/** How `X-RateLimit-Reset` is written. The specification only requires a large integer, so all of these conform. */
export interface MarkerOptions {
  readonly unit: 's' | 'ms' | 'us' | 'ns';
  /** `plus-one`: rounded down, and one unit more. */
  readonly rounding: 'floor' | 'ceil' | 'round' | 'plus-one';
  /**
   * `absolute`: the window's end. `time-left`: the clock as it is when the answer is written, plus the time that was
   * left (in whole ms) when the request was counted, so that the marker wobbles by at most the time in between.
   */
  readonly form: 'absolute' | 'time-left';
}

/** Everything that the specification leaves open and a conforming deployment must choose. */
export interface Choices {
  /** Reads and writes may differ; keys may not. */
  readonly mechanism: Readonly<Record<Kind, Mechanism>>;
  readonly marker: MarkerOptions;
  /** By the status that the request would have without the limiter. */
  readonly treatment: Readonly<Record<Due, Treatment>>;
  /** Whether refused requests count in a fixed window; only refunds show this. */
  readonly countRefused: boolean;
  /** Whether Remaining and Reset are read again when the answer is written. */
  readonly lateRead: boolean;
  /** Whether the limiter's clock ticks in whole seconds. */
  readonly wholeSecondClock: boolean;
  /** The deployment's clock minus true time, in seconds. */
  readonly skew: number;
  /** The headers of a 401: a full budget, or an empty one. */
  readonly anonymous: 'full' | 'zero';
  readonly dateHeader: boolean;
  readonly retryAfter: boolean;
}

/**
 * A deployment as a JSON value: its choices where the specification leaves them open, and its deviations. It is the
 * same for all keys. Without deviations its scope is the key and kind, each request weighs 1 (what fails, as
 * `treatment` says), the limits are 100 and 30, the window is a minute, one request is decided at a time, and the
 * headers say what clause 8.2 says.
 */
export interface Deployment {
  readonly choices: Choices;
  readonly deviations: readonly Deviation[];
}
