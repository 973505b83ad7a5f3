import type { Findings } from './analyse.ts';
import { takeCensus } from './census.ts';
import { ALL_LAYERS } from './check.ts';
import type { Explanation, Variant } from './explain.ts';
import { type History, WINDOW } from './history.ts';
import { DRIFT, type Model, type Scene, type Span } from './model.ts';
import { fixedWindows, gridSpans } from './windows.ts';
import { type Witness, WitnessSearch } from './witness.ts';

/**
 * Findings for a history that fixed windows explain for certain, in one pass; null where no witness was found, which
 * says nothing against the history: `analyse` has to look at it.
 */
export function findWitness(history: History): Findings | null {
  const { limit, shown, unit, offset, events, prior } = history;
  if (unit === null || shown !== limit || prior) return null;
  const starts: number[] = [];
  const search = new WitnessSearch(limit, unit, offset, (low, high) => starts.push(low, high));
  for (const { from, to, outcome, remaining, reset } of events) {
    if (!search.push(from, to, outcome, remaining, reset)) return null;
  }
  const witness = search.finish();
  if (!witness) return null;
  const best = explanationOf(witness, history, starts);
  return { history, whole: [best], decisions: true, remaining: true, reset: true, best, refuted: [] };
}

function explanationOf(
  { mechanism, phase, offset }: Witness,
  history: History,
  starts: readonly number[],
): Explanation {
  const { events } = history;
  const origin = events[0]?.from ?? 0;
  const counting = { failedCounted: new Set<string>(), undecided: new Set<string>(), refusedCounted: false };
  const variant: Variant = { mechanism, counting, lag: 0, reset: 'oldest', latch: false };
  const low = phase ? (((phase.low - origin) % WINDOW) + WINDOW) % WINDOW : 0;
  const found = phase && { low, high: low + phase.high - phase.low };
  const model = whenAsked(() => {
    const census = takeCensus(events, counting);
    const scene: Scene = { census, counting, events, limit: history.limit, window: WINDOW, lag: 0 };
    return fixedWindows(found ? gridSpans(scene, found.low, found.high) : chainOf(starts), scene);
  });
  return {
    variant,
    layers: ALL_LAYERS,
    survives: true,
    model,
    phase: found,
    origin,
    offset,
    contradictions: [],
    explained: events.length,
  };
}

/** Windows that each start in an interval; `starts` holds its two ends, window by window. */
function chainOf(starts: readonly number[]): readonly Span[] {
  const drift = DRIFT * WINDOW;
  const spans: Span[] = [];
  for (let index = 0; index + 1 < starts.length; index += 2) {
    const startLow = starts[index] ?? 0;
    const startHigh = starts[index + 1] ?? 0;
    spans.push({
      startLow,
      startHigh,
      // Nothing is counted between two windows.
      sureFrom: Math.min(startHigh, spans[spans.length - 1]?.endHigh ?? Number.NEGATIVE_INFINITY),
      endLow: startLow + WINDOW - drift,
      endHigh: startHigh + WINDOW + drift,
    });
  }
  return spans;
}

/** A model that is only made when something is asked of it: most budgets of a load run are never plotted. */
function whenAsked(make: () => Model): Model {
  let made: Model | null = null;
  const model = (): Model => {
    made ??= make();
    return made;
  };
  return { alternatives: (event) => model().alternatives(event), overfull: (limit) => model().overfull(limit) };
}
