import { afterEach, beforeEach } from 'vitest';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Sets aside who else listens for signals in this process while tests of this file send some: it has nothing to do with them. */
export function setAsideListeners(): void {
  const others = new Map<(typeof SIGNALS)[number], NodeJS.SignalsListener[]>();
  beforeEach(() => {
    for (const signal of SIGNALS) {
      // As they were added: what is heard once only is heard once only later on.
      others.set(signal, process.rawListeners(signal) as NodeJS.SignalsListener[]);
      process.removeAllListeners(signal);
    }
  });
  afterEach(() => {
    for (const [signal, listeners] of others) for (const each of listeners) process.on(signal, each);
  });
}
