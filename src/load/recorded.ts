import type { CapturedHeaders, Failure } from '../trace/exchange.ts';
import type { LoadSpec } from './load-spec.ts';

/** What one k6 instance recorded besides its answers. Times are µs of its own clock. */
export interface InstanceRecords {
  readonly name: string;
  readonly spec: LoadSpec;
  /** Part of the whole that was this instance's, from 0 to 1. */
  readonly segment: { readonly from: number; readonly to: number };
  /**
   * Bounds on its wall clock at clock 0 in real µs since the Unix epoch; crossed where the wall clock was stepped
   * meanwhile.
   */
  readonly epoch: { readonly low: number; readonly high: number };
  /**
   * How far the target's clock is ahead of its wall clock, in real µs, by the `Date` of answers; crossed where these
   * contradict each other.
   */
  readonly lead: { readonly low: number; readonly high: number };
  /** Numbers of the lanes that began, each as often as it did. */
  readonly lanes: readonly number[];
  readonly lanesDone: number;
  /** Announced, but without an outcome, because k6 was killed. */
  readonly unanswered: readonly { readonly id: number; readonly sent: number }[];
  /** Empty in the open model, where requests are due one by one. */
  readonly waves: readonly RecordedWave[];
  readonly sent: number;
  /** Records that contradict each other: an answer to what was never sent, or a second one. */
  readonly contradictions: number;
  /** What the script threw, if it did. */
  readonly exceptions: readonly string[];
}

/** The outcome of a request. */
export interface RecordedAnswer {
  readonly id: number;
  readonly sent: number;
  readonly answered: number;
  /** 0: no answer came, for the reason in `failure`. */
  readonly status: number;
  readonly failure: Failure | null;
  readonly headers: CapturedHeaders;
}

/** Requests of this instance that were due together, and when the first and the last of them left. */
export interface RecordedWave {
  /** Real wall time in ms. */
  readonly due: number;
  readonly first: number;
  readonly last: number;
  readonly count: number;
}
