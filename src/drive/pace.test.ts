import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Clock } from '../clock/clock.ts';
import { paceOf } from './pace.ts';

/** A clock that moves only during a sleep. */
function sleeper(): Clock & { time: number } {
  const clock = {
    time: 0,
    scale: 1,
    epoch: 0,
    now: () => clock.time,
    async sleepUntil(time: number) {
      clock.time = Math.max(clock.time, time);
    },
  };
  return clock;
}

test('no second holds more requests than the ceiling allows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.integer({ min: 0, max: 400_000 })),
      async (rate, gaps) => {
        const clock = sleeper();
        const pace = paceOf(rate, clock, new AbortController().signal);
        const sent: number[] = [];
        for (const gap of gaps) {
          clock.time += gap;
          await pace.wait();
          sent.push(clock.time);
        }
        for (const start of sent) {
          expect(sent.filter((time) => time >= start && time < start + 999_999).length).toBeLessThanOrEqual(rate);
        }
      },
    ),
  );
});

test('without a ceiling nothing waits', async () => {
  const clock = sleeper();
  await paceOf(null, clock, new AbortController().signal).wait();
  expect(clock.time).toBe(0);
});
