import { uptime } from 'node:os';
import type { Recording } from './sender.ts';

/** The clocks of this machine, in real ms. */
export interface MachineClocks {
  /** The clock that people set and time services correct. */
  wall(): number;
  /** The clock of the run: it cannot be set, and stops while the machine sleeps. */
  monotonic(): number;
  /** Time since the machine was started, including sleep. */
  awakeOrAsleep(): number;
}

const MACHINE: MachineClocks = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  awakeOrAsleep: () => uptime() * 1000,
};

/** Smaller corrections are routine work of a time service. */
const LEAST_STEP_MS = 500;

/** The machine slept, so windows of the target passed without the run knowing. */
export class MachineSlept extends Error {
  override name = 'MachineSlept';
}

/**
 * A recording that checks the clocks before requests are sent. If the wall clock was set, this is noted; it does no
 * harm, because a run reads it only once. If the machine slept, the run's clock stopped while the target's went on, so
 * everything afterwards would be judged by wrong times.
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
