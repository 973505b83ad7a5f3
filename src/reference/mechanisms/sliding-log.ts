import { type LogReset, WINDOW } from '../../deployment/deployment.ts';
import type { Mechanics } from './mechanics.ts';

/**
 * M3: a log of requests. A request at time s is accepted if the entries in (s − W, s], including its own, are at most
 * the limit.
 *
 * @param options.window W in µs
 * @param options.logRefused whether refused requests are logged, so that they keep later ones out
 * @param options.reset what the marker states
 * @param options.step entries get the beginning of a step of this many µs as their time, and so leave early
 * @param options.member a fault: entries are identified by their time in units of this many µs, so two entries within
 * one unit are one
 */
export function slidingLog(
  options: {
    readonly window?: number;
    readonly logRefused?: boolean;
    readonly reset?: LogReset;
    readonly step?: number;
    readonly member?: number;
  } = {},
): Mechanics<number[]> {
  const { window = WINDOW, logRefused = false, reset = 'oldest', step = 1, member } = options;
  const isSame = (log: readonly number[], now: number): boolean =>
    member !== undefined && Math.floor((log.at(-1) ?? -Infinity) / member) === Math.floor(now / member);
  return {
    /** The times of the requests, in rising order. */
    at(log = [], _budget, _limit, now) {
      while (log[0] !== undefined && log[0] <= now - window) log.shift();
      return log;
    },
    left: (log, limit, now) => Math.max(limit - log.length, isSame(log, now) ? 1 : 0),
    count(log, _limit, now, weight) {
      if (isSame(log, now)) return;
      for (let times = 0; times < weight; times++) log.push(Math.floor(now / step) * step);
      if (weight < 0) log.pop();
    },
    refuse(log, _limit, now) {
      if (logRefused) log.push(now);
    },
    reset(log, limit, now) {
      if (reset === 'now') return now + window;
      const position = reset === 'newest' ? log.length - 1 : reset === 'slot' ? Math.max(0, log.length - limit) : 0;
      return (log[position] ?? now) + window;
    },
    stamp: (_log, now) => Math.floor(now / step) * step,
    refund(log, stamp) {
      const position = log.lastIndexOf(stamp);
      if (position >= 0) log.splice(position, 1);
    },
    copy: (log) => [...log],
  };
}
