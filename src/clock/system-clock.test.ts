import { expect, test } from 'vitest';
import { systemClock } from './system-clock.ts';

test.each([1, 30])('nothing that waits for a time comes before it (scale %i)', async (scale) => {
  const clock = systemClock(scale);
  for (let tenths = 1; tenths <= 40; tenths += 1) {
    const time = clock.now() + tenths * 100 * scale;
    await clock.sleepUntil(time);
    expect(clock.now()).toBeGreaterThanOrEqual(time);
  }
});

test('an abort ends the wait with its reason', async () => {
  const clock = systemClock();
  const controller = new AbortController();
  const waiting = clock.sleepUntil(clock.now() + 60_000_000, controller.signal);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow();
  await expect(clock.sleepUntil(0, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
});
