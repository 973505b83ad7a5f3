import { uptime } from 'node:os';
import type { Recording } from './sender.ts';

/** The clocks of this machine, in real ms. */
export interface MachineClocks {
  /** What people set and time services correct. */
  wall(): number;
  /** What a run is timed by: it cannot be set, and stands still while the machine sleeps. */
  monotonic(): number;
  /** Since the machine was started, sleep included. */
  awakeOrAsleep(): number;
}

const MACHINE: MachineClocks = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  awakeOrAsleep: () => uptime() * 1000,
};

/** Corrections below this are a time service's daily work. */
const LEAST_STEP_MS = 500;

/** The machine slept: windows of the target have passed that the run knows nothing of. */
export class MachineSlept extends Error {
  override name = 'MachineSlept';
}

/**
 * A recording that looks at the clocks before requests leave. A wall clock that was set bends nothing, since a run reads it once; it
 * is noted. Where the machine has slept, the run's own clock stood still while the target's went on, and whatever followed
 * would be judged by wrong times.
 *
 * @throws MachineSlept from `intend`
 */
export function watchClock(recording: Recording, clocks: MachineClocks = MACHINE): Recording {
  const lead = (): number => clocks.wall() - clocks.monotonic();
  const asleep = (): number => clocks.awakeOrAsleep() - clocks.monotonic();
  const sleptBefore = asleep();
  let expected = lead();
  return {
    record: (exchange) => recording.record(exchange),
    note: (code, experiment, text) => recording.note(code, experiment, text),
    intend(intents) {
      const step = lead() - expected;
      if (Math.abs(step) >= LEAST_STEP_MS) {
        const slept = asleep() - sleptBefore;
        if (slept >= LEAST_STEP_MS) throw new MachineSlept(`this machine slept for ${seconds(slept)} during the run`);
        expected += step;
        const way = step > 0 ? 'forward' : 'back';
        recording.note('clock-step', null, `the clock of this machine was set ${way} by ${seconds(Math.abs(step))}`);
      }
      recording.intend(intents);
    },
  };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
