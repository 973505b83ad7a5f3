import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/**
 * Where scaled wall time and real wall time meet: 2026-11-01T00:00:00Z in µs since the Unix epoch. A constant, so that
 * two processes given the same scale agree on the time without talking to each other.
 */
const SCALED_EPOCH = Date.UTC(2026, 10, 1) * 1000;

/**
 * A clock over the system's monotonic one. With `scale` 30, a minute of this clock passes in two real seconds: suite and
 * reference server take the same scale, and everything that they measure or promise is in this clock's time.
 *
 * @param scale how many times faster than real time; at least 1
 */
export function systemClock(scale = 1): Clock {
  const started = process.hrtime.bigint();
  const wall = Date.now() * 1000;
  const epoch = SCALED_EPOCH + (wall - SCALED_EPOCH) * scale;
  const now = (): number => (Number(process.hrtime.bigint() - started) / 1000) * scale;
  return {
    scale,
    now,
    epoch: scale === 1 ? wall : epoch,
    async sleepUntil(time, signal) {
      const milliseconds = (time - now()) / 1000 / scale;
      if (milliseconds > 0) await delay(milliseconds, undefined, signal ? { signal } : {});
      signal?.throwIfAborted();
    },
  };
}
