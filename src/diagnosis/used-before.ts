import type { History, Range } from '../oracle/history.ts';
import { priorUse, wasOpenBefore } from '../oracle/prior-use.ts';
import { clocked } from './clocked.ts';
import type { World } from './world.ts';

/** What was counted before a history whose first window was open, but empty. */
const NOTHING: Range = { low: 0, high: 0 };

/** The histories with what was counted before them, where something may have been; null: nothing was. */
export function usedBefore({ histories }: World): readonly History[] | null {
  const timed = clocked(histories);
  const found = histories.map((history, at) => {
    const prior = priorUse(history) ?? (wasOpenBefore(timed[at] ?? history) ? NOTHING : null);
    return prior ? { ...history, prior } : history;
  });
  return found.every(({ prior }) => prior === undefined) ? null : found;
}

/** The keys that somebody used before these histories. */
export function keysUsedBefore(histories: readonly History[]): readonly string[] {
  return histories.flatMap(({ prior, key }) => (prior && prior !== NOTHING ? [key] : []));
}
