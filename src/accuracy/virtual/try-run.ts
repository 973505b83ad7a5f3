import { parentPort } from 'node:worker_threads';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { drawBySeed } from './draw-slot.ts';
import { type RandomOutcome, rateRun } from './rate-run.ts';
import { virtualRun } from './virtual-run.ts';

/** Draws the run of a seed, runs the plan against it in virtual time, and returns the verdicts. */
export async function tryRun(seed: number): Promise<RandomOutcome> {
  const drawn = drawBySeed(seed);
  const { trace, exact } = await virtualRun(drawn.options);
  const started = process.threadCpuUsage();
  const recorded = judgeTrace(trace);
  const { user, system } = process.threadCpuUsage(started);
  const deviates = drawn.deployment.deviations.length > 0 || drawn.stranger !== null;
  return rateRun(drawn, recorded, deviates ? judgeTrace(exact) : null, (user + system) / 1e6);
}

parentPort?.on('message', (seed: number) => {
  tryRun(seed).then(
    (outcome) => parentPort?.postMessage(outcome),
    (error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error });
    },
  );
});
