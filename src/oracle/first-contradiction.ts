import { quietSearch } from './candidates.ts';
import { ALL_LAYERS, type Contradiction, check, contradicted, type Layers, type Outcome } from './check.ts';
import { type History, type Range, WINDOW } from './history.ts';
import { lacksSince } from './least-left.ts';
import type { Model } from './model.ts';
import { inputOf, lagIn } from './model-input.ts';
import type { Variant } from './variant.ts';
import type { Work } from './work.ts';

/** Which headers are read, and the length of the window in µs. */
interface Setting {
  readonly layers: Layers;
  readonly window: number;
}

/** Windows as the specification has them, of which every header is read. */
export const SPECIFIED: Setting = { layers: ALL_LAYERS, window: WINDOW };

/**
 * How many events of a history each contradict a variant whose windows are where the markers say. If there are several
 * ways to place windows: the fewest.
 *
 * @param phase as for `firstContradiction`
 * @param most the count stops above this number
 */
export function contradictedIn(
  variant: Variant,
  history: History,
  phase: Range | null,
  { layers, window }: Setting,
  work: Work,
  most = Number.POSITIVE_INFINITY,
): number {
  const lag = lagIn(variant, window);
  let least = most + 1;
  for (const model of modelsOf(variant, history, phase, window)) {
    const { count, seen } = contradicted(model, history, variant.counting, layers, lag, least - 1);
    work.spend(seen);
    least = Math.min(least, count);
    if (least === 0) break;
  }
  return Math.min(least, history.events.length);
}

/** The models of a variant, one for each way to place its windows, if they are where the markers say (`phase`). */
export function modelsOf(variant: Variant, history: History, phase: Range | null, window: number): readonly Model[] {
  const input = inputOf(history, variant.counting, window, lagIn(variant, window));
  const origin = history.events[0]?.from ?? 0;
  const low = phase ? (((phase.low - origin) % window) + window) % window : 0;
  return quietSearch(variant, input).models([{ low, high: phase ? low + phase.high - phase.low : window }]);
}

/**
 * What contradicts a variant whose windows are where the markers say (`phase`, in µs of the run's clock; null:
 * anywhere): the first single request that does, otherwise a whole window. If there are several ways to place windows:
 * of the one that explains most. Null if nothing does.
 */
export function firstContradiction(
  variant: Variant,
  history: History,
  phase: Range | null,
  { layers, window }: Setting,
  work: Work,
): Contradiction | null {
  const { counting } = variant;
  const lag = lagIn(variant, window);
  const lacking = layers.remaining ? lacksSince(history, variant) : null;
  let furthest: Outcome | null = null;
  for (const model of modelsOf(variant, history, phase, window)) {
    const single = check(model, history, counting, layers, lag, null, null, true);
    const outcome = single.contradiction ? single : check(model, history, counting, layers, lag);
    work.spend(single.explained + outcome.explained + 1);
    if (outcome.contradiction === null) return lacking;
    if (!furthest || outcome.explained > furthest.explained) furthest = outcome;
  }
  const first = furthest?.contradiction ?? null;
  return lacking?.event && (!first?.event || lacking.event.from < first.event.from) ? lacking : first;
}
