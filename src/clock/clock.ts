/**
 * The one source of time of a run. Everything that waits or stamps a time takes a `Clock`, so that tests inject a
 * virtual one, and so that a scaled run (see `scaledClock`) needs no second code path.
 */
export interface Clock {
  /**
   * How many times faster than real time this clock runs; 1 for real time. A run with another scale never certifies.
   */
  readonly scale: number;
  /** Monotonic time in µs since this clock was made. */
  now(): number;
  /**
   * The wall clock in µs since the Unix epoch at `now() === 0`. Later wall times are this plus `now()`, so a stepped
   * system clock cannot bend a trace.
   */
  readonly epoch: number;
  /**
   * Resolves at `time` (µs, of this clock; at once where it has passed). Rejects with the signal's reason when aborted.
   */
  sleepUntil(time: number, signal?: AbortSignal): Promise<void>;
}
