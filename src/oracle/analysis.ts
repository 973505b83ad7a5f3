import type { Kind } from '../trace/exchange.ts';
import type { MechanismName } from './explain.ts';

/** What reports show of one budget (a key's reads, or its writes): plain JSON data. Times are µs of the run's clock. */
export interface BudgetAnalysis {
  readonly key: string;
  readonly kind: Kind;
  readonly limit: number;
  readonly exchanges: number;
  /** Mechanisms that explain the whole history, the simplest first; empty where none does. */
  readonly surviving: readonly SurvivingVariant[];
  readonly refuted: readonly RefutedVariant[];
  readonly windows: readonly BudgetWindow[];
  /** One entry for each exchange that could be placed, in order of `sent`. */
  readonly predictions: readonly Prediction[];
  /** The length of the window as measured; null where no return of the budget was seen. */
  readonly windowLength: Interval | null;
  /** What to call it where no admissible mechanism explains the history: `token bucket` …; null: no name fits. */
  readonly diagnosis: string | null;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface SurvivingVariant {
  readonly mechanism: MechanismName;
  /** Where windows start within the minute of the run's clock; null for mechanisms without a grid. */
  readonly phase: Interval | null;
  /** Length of the marker's unit in µs; null where there is no usable marker. */
  readonly unit: number | null;
  /** Server clock less client clock in µs; null on a side that nothing bounds. */
  readonly offset: { readonly low: number | null; readonly high: number | null };
  /** The limiter's clock ticks in whole seconds, or windows are cut to them. */
  readonly wholeSeconds: boolean;
  readonly refusedCounted: boolean;
  /** Failed requests (such as `404 getCategory`) that are counted, and those that are not (or are given back). */
  readonly counted: readonly string[];
  readonly notCounted: readonly string[];
}

export interface RefutedVariant {
  readonly mechanism: MechanismName;
  readonly wholeSeconds: boolean;
  readonly refusedCounted: boolean;
  /** Sequence numbers that prove it, in order of `sent`. */
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
  /** Requests that were refused although they would have fitted: at least so many. */
  readonly undershoot: number;
  /** The marker most often given in it, as sent; null where there is none. */
  readonly marker: string | null;
}

export interface Prediction {
  readonly seq: number;
  /** Least and greatest `X-RateLimit-Remaining` that the best mechanism allows. */
  readonly low: number;
  readonly high: number;
  readonly received: number | null;
}
