import type { Decision, Limiter } from './limiter.ts';
import { WINDOW } from './limiter.ts';

/**
 * What the marker of a sliding log is one window after: the oldest entry, the entry whose end frees the next slot (the
 * same as long as refusals are not logged), the newest one, when all that was used is back, or the request itself.
 */
export type LogReset = 'oldest' | 'slot' | 'newest' | 'now';

/** Times in rising order. Taking from the front only moves an index, so that every operation is O(1) over time. */
class Log {
  times: number[] = [];
  #first = 0;

  get size(): number {
    return this.times.length - this.#first;
  }

  /** The entry at this position, counted from the oldest; undefined where there is none. */
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
}

/**
 * M3: a log of requests. One at s is accepted when the entries in (s − W, s] with its own are at most the limit.
 *
 * @param options.logRefused whether a refused request is logged, and so keeps later ones out
 * @param options.reset what the marker points at
 */
export function slidingLogLimiter(
  options: { readonly window?: number; readonly logRefused?: boolean; readonly reset?: LogReset } = {},
): Limiter {
  const { window = WINDOW, logRefused = false, reset = 'oldest' } = options;
  const logs = new Map<string, Log>();

  function current(budget: string, now: number): Log {
    let log = logs.get(budget);
    if (!log) {
      log = new Log();
      logs.set(budget, log);
    }
    log.expire(now - window);
    return log;
  }

  function marker(log: Log, limit: number, now: number): number {
    if (reset === 'now') return now + window;
    const position = reset === 'newest' ? log.size - 1 : reset === 'slot' ? Math.max(0, log.size - limit) : 0;
    return (log.at(position) ?? now) + window;
  }

  return {
    decide(budget, limit, now) {
      const log = current(budget, now);
      const accepted = log.size < limit;
      if (accepted || logRefused) log.times.push(now);
      const remaining = accepted ? limit - log.size : 0;
      return { accepted, limit, remaining, reset: marker(log, limit, now), stamp: now };
    },
    peek(budget, limit, now): Decision {
      const log = current(budget, now);
      const remaining = Math.max(0, limit - log.size);
      return { accepted: remaining > 0, limit, remaining, reset: marker(log, limit, now), stamp: now };
    },
    refund(budget, decision, now) {
      current(budget, now).remove(decision.stamp);
    },
  };
}
