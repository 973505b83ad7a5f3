import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './clock.ts';
import { scaledWall } from './scaled-time.ts';

/**
 * A clock over the system's monotonic one. With `scale` 30, a minute of this clock passes in two real seconds: suite
 * and reference server take the same scale, and everything that they measure or promise is in this clock's time.
 *
 * @param scale how many times faster than real time; at least 1
 */
export function systemClock(scale = 1): Clock {
  const started = process.hrtime.bigint();
  const wall = Date.now() * 1000;
  const now = (): number => (Number(process.hrtime.bigint() - started) / 1000) * scale;
  return {
    scale,
    now,
    epoch: scaledWall(wall, scale),
    async sleepUntil(time, signal) {
      // Timers take whole ms and may fire up to one early: what waits for a window's end must not come before it.
      for (let left = time - now(); left > 0; left = time - now()) {
        await delay(Math.ceil(left / 1000 / scale), undefined, signal ? { signal } : {});
      }
      signal?.throwIfAborted();
    },
  };
}
