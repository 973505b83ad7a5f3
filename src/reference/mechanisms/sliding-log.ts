import { type LogReset, WINDOW } from '../../deployment/deployment.ts';
import type { Mechanics } from './mechanics.ts';

/** Times in rising order. Removing the oldest only moves an index, so operations are O(1) on average. */
class Log {
  times: number[];
  #first = 0;

  constructor(times: number[] = []) {
    this.times = times;
  }

  get size(): number {
    return this.times.length - this.#first;
  }

  /** The entry at this position, counted from the oldest; undefined if there is none. */
  at(position: number): number | undefined {
    return this.times[this.#first + position];
  }

  expire(until: number): void {
    while (this.#first < this.times.length && (this.times[this.#first] ?? 0) <= until) this.#first++;
    if (this.#first > 1024 && this.#first * 2 > this.times.length) {
      this.times = this.times.slice(this.#first);
      this.#first = 0;
    }
  }

  remove(time: number): void {
    const position = this.times.lastIndexOf(time);
    if (position >= this.#first) this.times.splice(position, 1);
  }

  copy(): Log {
    return new Log(this.times.slice(this.#first));
  }
}

/**
 * M3: a log of requests. A request at time s is accepted if the entries in (s − W, s], including its own, are at most
 * the limit.
 *
 * @param options.window W in µs
 * @param options.logRefused whether refused requests are logged, so that they keep later ones out
 * @param options.reset what the marker states
 * @param options.step a fault: entries get the beginning of a step of this many µs as their time, and so leave early
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
): Mechanics<Log> {
  const { window = WINDOW, logRefused = false, reset = 'oldest', step = 1, member } = options;
  const isSame = (log: Log, now: number): boolean =>
    member !== undefined && Math.floor((log.at(log.size - 1) ?? -Infinity) / member) === Math.floor(now / member);
  return {
    at(log = new Log(), _budget, _limit, now) {
      log.expire(now - window);
      return log;
    },
    left: (log, limit, now) => Math.max(limit - log.size, isSame(log, now) ? 1 : 0),
    count(log, _limit, now, weight) {
      if (isSame(log, now)) return;
      for (let times = 0; times < weight; times++) log.times.push(Math.floor(now / step) * step);
      if (weight < 0 && log.size > 0) log.times.pop();
    },
    refuse(log, _limit, now) {
      if (logRefused) log.times.push(now);
    },
    reset(log, limit, now) {
      if (reset === 'now') return now + window;
      const position = reset === 'newest' ? log.size - 1 : reset === 'slot' ? Math.max(0, log.size - limit) : 0;
      return (log.at(position) ?? now) + window;
    },
    stamp: (_log, now) => Math.floor(now / step) * step,
    refund: (log, stamp) => log.remove(stamp),
    copy: (log) => log.copy(),
  };
}
