import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** Five seconds into a minute: what a test sends falls into one window, whichever grid the server counts on. */
const EPOCH = Date.UTC(2026, 10, 1, 12, 0, 5) * 1000;

/**
 * A clock that stands still but for what somebody sleeps, so that no window ends while a test sends, however slow the
 * machine is and whenever the test starts. Who sleeps gives way for as long in real time: requests that arrive at once
 * still meet.
 */
export function stillClock(): Clock {
  let time = 0;
  return {
    scale: 1,
    epoch: EPOCH,
    now: () => time,
    async sleepUntil(until, signal) {
      await delay(Math.max(0, until - time) / 1000, undefined, signal ? { signal } : {});
      time = Math.max(time, until);
    },
  };
}
