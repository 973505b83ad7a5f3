import { inThreads } from '../pool.ts';
import { type RandomAccuracy, summariseRandom } from './random-table.ts';
import type { RandomOutcome } from './rate-run.ts';

/**
 * Judges the runs of consecutive seeds, a few at a time. @param onOutcome called for each judged run, with the number
 * so far
 */
export async function measureRandom(
  seed: number,
  draws: number,
  onOutcome: (outcome: RandomOutcome, done: number) => void,
): Promise<RandomAccuracy> {
  const seeds = Array.from({ length: draws }, (_, index) => seed + index);
  const worker = new URL('./try-run', import.meta.url);
  return summariseRandom(seed, await inThreads<number, RandomOutcome>(worker, seeds, onOutcome));
}
