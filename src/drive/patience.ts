import { WINDOW_S } from '../catalogue/limits.ts';
import type { Clock } from '../clock/clock.ts';

const SECOND = 1e6;

/** The longest wait in seconds: a spent budget is back when its window has ended. */
const MOST_S = WINDOW_S + 1;

/** Waits once for budgets that were spent before the run. Used only if no budget is measured. */
export interface Patience {
  /** Waits as long as agreed. */
  rest(): Promise<void>;
  /**
   * Whether a refused request may be sent again after so many seconds. False if that is too long, or if the request was
   * already sent after a wait.
   *
   * @param sent µs of the run's clock at which it was sent
   */
  extend(seconds: number, sent: number): boolean;
}

export function patienceOf({ clock, until }: { readonly clock: Clock; until(time: number): Promise<void> }): Patience {
  let begun: number | null = null;
  let end = 0;
  return {
    rest: async () => {
      if (clock.now() < end) await until(end);
    },
    extend(seconds, sent) {
      begun ??= clock.now();
      const next = clock.now() + seconds * SECOND;
      // A request that was refused after the wait would be refused again.
      if (next > begun + MOST_S * SECOND || (end > 0 && sent >= end)) return false;
      end = Math.max(end, next);
      return true;
    },
  };
}
