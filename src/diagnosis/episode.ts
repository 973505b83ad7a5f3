import type { Event } from '../oracle/history.ts';

/** Requests of somebody else that reached one budget together. */
export interface Episode {
  readonly key: string;
  /** The answer that shows it, and how many requests are missing from its Remaining. */
  readonly event: Event;
  readonly requests: number;
  /** The earliest and the latest time at which they can have come (µs of the run's clock). */
  readonly since: number;
  readonly until: number;
  /** For how long in all they can have come within these times (µs); left out: all the time. */
  readonly width?: number;
  /** Present if there may have been more: a counter that slides shows only the share that still weighs. */
  readonly atLeast?: true;
  /**
   * Present if requests leave the count one by one: when the answer came that lacked some before (µs). Those between
   * may not show it.
   */
  readonly after?: number;
}

/** The precision of a moment: that of the clocks, in µs. */
export const TICK = 1_000;

/** Use of several keys within this time (µs) is one event, such as a scheduled job. */
export const JOB = 1_000_000;

/** Whether only the least number of requests is known. A refusal shows no more. */
export function isLeast({ event, atLeast }: Episode): boolean {
  return atLeast === true || event.outcome === 'refused';
}

/** How many requests some episodes have together. */
export function requestsIn(episodes: readonly Episode[]): number {
  return episodes.reduce((sum, { requests }) => sum + requests, 0);
}
