import type { Clock } from '../clock/clock.ts';

/** Spaces single requests; bursts are experiments of their own, and are not spaced. */
export interface Pace {
  /** Resolves when the next request may leave. */
  wait(): Promise<void>;
}

/** @param maxRate requests per second that are not exceeded; null: no ceiling */
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
