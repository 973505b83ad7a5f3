import type { Clock } from './clock.ts';
import { EventQueue } from './event-queue.ts';

/** A clock whose time passes only when nothing else is left to do: minutes take as long as what happens in them. */
export interface VirtualClock extends Clock {
  /** Does something at a time (µs; at once where it has passed). It must not make anybody go on who waits. */
  at(time: number, action: () => void): void;
  /**
   * Lets time pass until the work is done, and gives what it gives.
   *
   * @throws what the work throws; a RangeError where it waits for what will never happen
   */
  run<T>(work: Promise<T>): Promise<T>;
}

/** @param epoch wall clock in µs since the Unix epoch at time 0 */
export function virtualClock(epoch: number): VirtualClock {
  const queue = new EventQueue();
  let now = 0;
  /** Whether somebody who waited goes on: before time passes, all that follows from it has to happen. */
  let woken = true;

  return {
    scale: 1,
    epoch,
    now: () => now,
    at: (time, action) => queue.push(Math.max(now, time), action),
    sleepUntil(time, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const abort = (): void => reject(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      if (signal?.aborted) abort();
      queue.push(Math.max(now, time), () => {
        signal?.removeEventListener('abort', abort);
        woken = true;
        resolve();
      });
      return promise;
    },
    async run(work) {
      let ended = false;
      const end = (): void => {
        ended = true;
      };
      work.then(end, end);
      for (;;) {
        // What follows from a promise happens before the next turn of the event loop.
        if (woken) await new Promise((resolve) => setImmediate(resolve));
        woken = false;
        if (ended) return work;
        const event = queue.pop();
        if (!event) throw new RangeError('the work waits for something that will never happen');
        now = Math.max(now, event.time);
        event.run();
      }
    },
  };
}
