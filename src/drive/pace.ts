import type { Clock } from '../clock/clock.ts';

/** Limits the rate of single requests. Bursts are experiments of their own, and are not limited. */
export interface Pace {
  /** Resolves when the next request may be sent. */
  wait(): Promise<void>;
}

/** @param maxRate the most requests per second; null: no limit */
export function paceOf(maxRate: number | null, clock: Clock, signal: AbortSignal): Pace {
  let next = 0;
  return {
    async wait() {
      if (maxRate === null) return;
      const turn = Math.max(next, clock.now());
      next = turn + 1e6 / maxRate;
      await clock.sleepUntil(turn, signal);
    },
  };
}
