import { expect, test } from 'vitest';
import type { Recording } from './sender.ts';
import { type MachineClocks, MachineSlept, watchClock } from './watch-clock.ts';

/** A machine whose clocks a test can set. */
function machine() {
  const at = { wall: 1_800_000_000_000, monotonic: 5_000, sinceBoot: 70_000 };
  const clocks: MachineClocks = {
    wall: () => at.wall,
    monotonic: () => at.monotonic,
    awakeOrAsleep: () => at.sinceBoot,
  };
  const notes: string[] = [];
  let intents = 0;
  const recording: Recording = {
    intend: () => {
      intents += 1;
    },
    record: () => {},
    note: (code, _, text) => notes.push(`${code}: ${text}`),
  };
  const pass = (ms: number): void => {
    at.wall += ms;
    at.monotonic += ms;
    at.sinceBoot += ms;
  };
  return { at, notes, pass, watched: watchClock(recording, clocks), intents: () => intents };
}

test('time that passes is no step', () => {
  const { pass, watched, notes, intents } = machine();
  for (let second = 0; second < 120; second += 1) {
    pass(1000);
    watched.intend([]);
  }
  expect(notes).toEqual([]);
  expect(intents()).toBe(120);
});

test.each([
  [3_600_000, 'clock-step: the clock of this machine was set forward by 3600.0 s'],
  [-750, 'clock-step: the clock of this machine was set back by 0.8 s'],
])('a clock that is set by %d ms is noted once', (step, note) => {
  const { at, pass, watched, notes, intents } = machine();
  at.wall += step;
  watched.intend([]);
  pass(1000);
  watched.intend([]);
  expect(notes).toEqual([note]);
  expect(intents()).toBe(2);
});

test('after a sleep no request leaves', () => {
  const { at, watched, intents } = machine();
  at.wall += 120_000;
  at.sinceBoot += 120_000;
  expect(() => watched.intend([])).toThrow(new MachineSlept('this machine slept for 120.0 s during the run'));
  expect(intents()).toBe(0);
});
