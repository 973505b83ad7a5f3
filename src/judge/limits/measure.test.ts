import { expect, test } from 'vitest';
import { runUnder } from '../../diagnosis/proposers/deviating-world.test-support.ts';
import { diagnoseRun } from '../../diagnosis/run.ts';
import type { Budget } from './budgets.ts';
import { measure } from './measure.ts';

test('a window is measured if a spent budget was seen to come back, and only then', async () => {
  const { budgets, anonymous } = await runUnder([]);
  const { history } = budgets.find((each) => each.history.key === 'key-1' && each.history.kind === 'write') ?? {};
  if (!history) throw new Error('key-1 has no writes');
  const spent = history.events.findIndex(({ outcome }) => outcome === 'refused');
  const back = history.events.findIndex(({ outcome }, at) => at > spent && outcome === 'accepted');
  const lengthOf = (events: typeof history.events) => {
    const own = { ...history, events };
    const [ruling] = diagnoseRun([own], anonymous).kinds;
    return measure({ key: own.key, kind: own.kind, history: own } as unknown as Budget, ruling ?? null, true).window;
  };
  expect(lengthOf(history.events)?.low).toBeGreaterThan(59_000_000);
  expect(back).toBeGreaterThan(spent);
  expect(lengthOf(history.events.slice(0, back))).toBeNull();
});
