import type { Kind } from '../trace/exchange.ts';
import type { MechanismName } from './variant.ts';

/**
 * What reports show about one budget (a key's reads, or its writes), as plain JSON data. Times are µs of the run's
 * clock.
 */
export interface BudgetAnalysis {
  readonly key: string;
  readonly kind: Kind;
  readonly limit: number;
  readonly exchanges: number;
  /** Mechanisms that explain the whole history, the simplest first; empty if none does. */
  readonly surviving: readonly SurvivingVariant[];
  readonly refuted: readonly RefutedVariant[];
  readonly windows: readonly BudgetWindow[];
  /** One entry for each exchange that could be assigned to a window, in order of `sent`. */
  readonly predictions: readonly Prediction[];
  /** The measured length of the window; null if the budget was not seen to come back. */
  readonly windowLength: Interval | null;
  /** A name if no admissible mechanism explains the history, such as `token bucket`; null: no name fits. */
  readonly diagnosis: string | null;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface SurvivingVariant {
  readonly mechanism: MechanismName;
  /** The start of the windows within the minute of the run's clock; null for mechanisms without a grid. */
  readonly phase: Interval | null;
  /** Precision of the marker in µs, which may be coarser than its unit; null if there is no usable marker. */
  readonly unit: number | null;
  /** What the marker is, such as `microseconds since the epoch`; null if there is no usable one. */
  readonly marker: string | null;
  /** Server clock minus client clock in µs; null on a side without a bound. */
  readonly offset: { readonly low: number | null; readonly high: number | null };
  /** The limiter's clock ticks in whole seconds, or windows are rounded to them. */
  readonly wholeSeconds: boolean;
  readonly refusedCounted: boolean;
  /**
   * Failed requests (such as `404 getCategory`) that are certainly counted, and those that certainly are not (or are
   * refunded).
   */
  readonly counted: readonly string[];
  readonly notCounted: readonly string[];
}

export interface RefutedVariant {
  readonly mechanism: MechanismName;
  readonly wholeSeconds: boolean;
  readonly refusedCounted: boolean;
  /** Sequence numbers of the requests that prove it, in order of `sent`. */
  readonly evidence: readonly number[];
  readonly argument: readonly string[];
}

export interface BudgetWindow {
  readonly start: Interval;
  readonly end: Interval;
  readonly accepted: number;
  readonly refused: number;
  /** Requests accepted beyond the limit. */
  readonly overshoot: number;
  /** A lower bound on the requests that were refused although they would have fitted. */
  readonly undershoot: number;
  /** The most frequent marker in it, as sent; null if there is none. */
  readonly marker: string | null;
}

export interface Prediction {
  readonly seq: number;
  /** The lowest and the highest `X-RateLimit-Remaining` that the best mechanism allows. */
  readonly low: number;
  readonly high: number;
  readonly received: number | null;
}
