import { WINDOW_S } from '../catalogue/limits.ts';
import type { Clock } from '../clock/clock.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Wait } from './wait.ts';

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
   */
  extend(seconds: number, refused: Pick<Exchange, 'sent' | 'key' | 'kind'>): boolean;
}

type Purpose = Omit<Wait, 'until' | 'now'>;

interface Waiting {
  readonly clock: Pick<Clock, 'now'>;
  until(time: number, purpose?: Purpose): Promise<void>;
}

export function patienceOf({ clock, until }: Waiting): Patience {
  let begun: number | null = null;
  let end = 0;
  let purpose: Purpose | undefined;
  return {
    rest: async () => {
      if (clock.now() < end) await until(end, purpose);
    },
    extend(seconds, { sent, key, kind }) {
      begun ??= clock.now();
      const next = clock.now() + seconds * SECOND;
      // A request that was refused after the wait would be refused again.
      if (next > begun + MOST_S * SECOND || (end > 0 && sent >= end)) return false;
      if (next > end) purpose = { track: 'spent', key: key ?? 'a key', kind, started: 0, why: 'spent' };
      end = Math.max(end, next);
      return true;
    },
  };
}
