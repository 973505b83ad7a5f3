import { WINDOW_S } from '../catalogue/limits.ts';
import type { Clock } from '../clock/clock.ts';

const SECOND = 1e6;

/** Seconds that are waited at the most: a spent budget is back when its window has ended. */
const MOST_S = WINDOW_S + 1;

/** Waiting, once, for budgets that were spent before the run: where no budget is measured. */
export interface Patience {
  /** Waits as long as was agreed. */
  rest(): Promise<void>;
  /**
   * Whether a request that was refused may be sent again after so many seconds: not where that is too long, or it had been sent after a wait.
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
      // What was refused after the wait would be refused again.
      if (next > begun + MOST_S * SECOND || (end > 0 && sent >= end)) return false;
      end = Math.max(end, next);
      return true;
    },
  };
}
