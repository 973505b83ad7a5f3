import { expect, test } from 'vitest';
import { openFailureGate } from './bail.ts';

const never = (): AbortSignal => new AbortController().signal;

test('without --bail all fail at once', async () => {
  const { mayFail } = openFailureGate(0, 3_600_000);
  expect(await Promise.all([1, 2, 3].map(() => mayFail(never())))).toEqual([true, true, true]);
});

test('with --bail, what would fail after the run has ended does not', async () => {
  const { mayFail } = openFailureGate(1, 3_600_000);
  const controller = new AbortController();
  const [first, ...others] = [1, 2, 3].map(() => mayFail(controller.signal));
  expect(await first).toBe(true);
  controller.abort();
  expect(await Promise.all(others)).toEqual([false, false]);
});

test('with --bail, further failures wait for the runner, which may not end yet', async () => {
  const { mayFail } = openFailureGate(2, 1);
  expect(await Promise.all([1, 2, 3].map(() => mayFail(never())))).toEqual([true, true, true]);
});
