import { afterEach, beforeEach } from 'vitest';
import { ENDING_SIGNALS } from './ending-signals.ts';

/**
 * Removes the other listeners for signals of this process while the tests of this file send signals, which are not
 * meant for them.
 */
export function setAsideListeners(): void {
  const others = new Map<(typeof ENDING_SIGNALS)[number], NodeJS.SignalsListener[]>();
  beforeEach(() => {
    for (const signal of ENDING_SIGNALS) {
      // Restores them as they were added, so a `once` listener is still one.
      others.set(signal, process.rawListeners(signal) as NodeJS.SignalsListener[]);
      process.removeAllListeners(signal);
    }
  });
  afterEach(() => {
    for (const [signal, listeners] of others) for (const each of listeners) process.on(signal, each);
  });
}
