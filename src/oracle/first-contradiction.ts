import { quietSearch } from './candidates.ts';
import { ALL_LAYERS, type Contradiction, check, type Layers, type Outcome } from './check.ts';
import { inputOf, type Variant } from './explain.ts';
import { type History, type Range, WINDOW } from './history.ts';
import type { Work } from './work.ts';

/**
 * What contradicts a variant whose windows are where the markers say (`phase`, in µs of the run's clock; null: anywhere): the first single
 * request that does, or else the whole of a window; of several ways to place windows, that of the one that explains most. Null where
 * nothing does.
 */
export function firstContradiction(
  variant: Variant,
  history: History,
  phase: Range | null,
  work: Work,
  layers: Layers = ALL_LAYERS,
  window = WINDOW,
): Contradiction | null {
  const { counting, lag } = variant;
  const input = inputOf(history, counting, window, lag);
  const origin = history.events[0]?.from ?? 0;
  const low = phase ? (((phase.low - origin) % window) + window) % window : 0;
  const box = [{ low, high: phase ? low + phase.high - phase.low : window }];
  let furthest: Outcome | null = null;
  for (const model of quietSearch(variant, input).models(box)) {
    const single = check(model, history, counting, layers, lag, null, null, true);
    const outcome = single.contradiction ? single : check(model, history, counting, layers, lag);
    work.spend(single.explained + outcome.explained + 1);
    if (outcome.contradiction === null) return null;
    if (!furthest || outcome.explained > furthest.explained) furthest = outcome;
  }
  return furthest?.contradiction ?? null;
}
