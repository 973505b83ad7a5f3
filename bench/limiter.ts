import { limitOf, WINDOW } from '../src/oracle/history.ts';

export const LIMIT = limitOf('read');
/** Of a marker, in µs. */
export const UNIT = 1_000;

export const MECHANISMS = ['grid', 'anchored', 'log', 'counter'] as const;
export type Mechanism = (typeof MECHANISMS)[number];

export interface Answer {
  readonly accepted: boolean;
  readonly remaining: number;
  readonly reset: number;
}

export type Limiter = (time: number) => Answer;

/** A conforming limiter of reads, for one request after the other. */
export function limiterOf(mechanism: Mechanism): Limiter {
  const phase = 17_000_000;
  let start = Number.NEGATIVE_INFINITY;
  let count = 0;
  let previous = 0;
  const log = new Float64Array(LIMIT);
  let logged = 0;
  const answer = (used: number, accepted: boolean, reset: number): Answer => ({
    accepted,
    remaining: accepted ? LIMIT - used : 0,
    reset: Math.floor(reset / UNIT) * UNIT,
  });
  return (time) => {
    if (mechanism === 'log') {
      const oldest = logged % LIMIT;
      const accepted = logged < LIMIT || (log[oldest] ?? 0) <= time - WINDOW;
      if (accepted) log[logged++ % LIMIT] = time;
      let used = 0;
      let first = time;
      for (const entry of log.subarray(0, Math.min(logged, LIMIT))) {
        if (entry <= time - WINDOW) continue;
        used += 1;
        first = Math.min(first, entry);
      }
      return answer(used, accepted, first + WINDOW);
    }
    const opened =
      mechanism === 'anchored'
        ? time >= start + WINDOW
          ? time
          : start
        : Math.floor((time - phase) / WINDOW) * WINDOW + phase;
    if (opened !== start) {
      previous = opened === start + WINDOW ? count : 0;
      start = opened;
      count = 0;
    }
    const carried = mechanism === 'counter' ? Math.floor(previous * (1 - (time - start) / WINDOW)) : 0;
    const accepted = carried + count < LIMIT;
    if (accepted) count += 1;
    return answer(carried + count, accepted, start + WINDOW);
  };
}
