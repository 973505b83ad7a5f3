import { anchoredChains, renewedChains } from './anchored.ts';
import { type Counting, takeCensus } from './census.ts';
import { type Contradiction, check, type Layers } from './check.ts';
import { type CounterMarker, slidingCounter } from './counter.ts';
import type { History, Range } from './history.ts';
import { WINDOW } from './history.ts';
import { type LogReset, slidingLog } from './log.ts';
import type { Model, Scene } from './model.ts';
import { fixedWindows, gridSpans } from './windows.ts';

/** The admissible mechanisms (M1 to M4). A counter that starts its grid anew with each key is `counter, anchored`. */
export type MechanismName = 'grid' | 'anchored' | 'log' | 'counter' | 'counter, anchored';

/** A mechanism with all of its options but those that are intervals. */
export interface Variant {
  readonly mechanism: MechanismName;
  readonly counting: Counting;
  /** µs: 0, or 1 s for clocks that tick in whole seconds. */
  readonly lag: number;
  /** What a sliding log's marker points to. */
  readonly reset: LogReset;
  /** What a sliding counter's marker points to; the end of its bucket where it is left out. */
  readonly marker?: CounterMarker;
  /** A sliding counter remembers a refusal until its bucket ends. */
  readonly latch: boolean;
}

/** Whether a variant explains a history, and with which parameters. */
export interface Explanation {
  readonly variant: Variant;
  readonly layers: Layers;
  readonly survives: boolean;
  /** The model that explains it; where none does, the one that explains most of it. */
  readonly model: Model;
  /** Where the grid's windows start, in µs after the first event; null for mechanisms without a grid. */
  readonly phase: Range | null;
  /** When the first event was sent, in µs of the run's clock. */
  readonly origin: number;
  readonly offset: Range;
  /** One for each part of the parameter space that was ruled out, the best explanation's first. */
  readonly contradictions: readonly Contradiction[];
  readonly explained: number;
}

/** Phases closer than this are not told apart, in µs. */
const FINEST = 8_000;
/** The search for a phase gives up (undecided, so surviving) after so many parts. */
const MOST_PARTS = 1_500;
const MOST_CONTRADICTIONS = 64;

interface Search {
  best: Explanation | null;
  contradictions: Contradiction[];
}

/**
 * Whether some parameters of the variant explain the history on the given layers. Grids are found by halving the
 * circle of phases until a part is ruled out or too small to split, so that what is ruled out is so for every phase.
 *
 * @param hint a phase that explained another budget (µs of the run's clock), to be tried before the search
 * @param window length of the window in µs; another than a minute only to find out what a deployment does instead
 */
export function explain(
  variant: Variant,
  history: History,
  layers: Layers,
  window = WINDOW,
  hint: Range | null = null,
): Explanation {
  const { events, limit } = history;
  const { counting, latch, marker = 'bucket' } = variant;
  const lag = Math.min(variant.lag, window / 20);
  const scene: Scene = { census: takeCensus(events, counting), counting, events, limit, window, lag };
  const search: Search = { best: null, contradictions: [] };
  const attempt = (model: Model, phase: Range | null, whole = true): boolean => {
    const { contradiction, explained, offset } = check(model, history, counting, layers, lag);
    const survives = contradiction === null && whole;
    const better = survives || !search.best || (contradiction !== null && explained > search.best.explained);
    if (contradiction && search.contradictions.length < MOST_CONTRADICTIONS) search.contradictions.push(contradiction);
    if (better && !search.best?.survives) {
      search.best = {
        variant,
        layers,
        survives,
        model,
        phase,
        origin: events[0]?.from ?? 0,
        offset,
        contradictions: contradiction ? [contradiction] : [],
        explained,
      };
    }
    return contradiction === null;
  };

  if (hint && (variant.mechanism === 'grid' || variant.mechanism === 'counter')) {
    const origin = events[0]?.from ?? 0;
    const low = (((hint.low - origin) % window) + window) % window;
    const spans = gridSpans(scene, low, low + hint.high - hint.low);
    const model =
      variant.mechanism === 'grid' ? fixedWindows(spans, scene) : slidingCounter(spans, scene, latch, marker);
    if (attempt(model, { low, high: low + hint.high - hint.low }) && search.best) return search.best;
    search.best = null;
    search.contradictions = [];
  }
  if (variant.mechanism === 'log') attempt(slidingLog(scene, variant.reset), null);
  else if (variant.mechanism === 'grid') {
    searchPhase(window, (low, high, finest) =>
      attempt(fixedWindows(gridSpans(scene, low, high), scene), { low, high }, finest),
    );
  } else if (variant.mechanism === 'counter') {
    searchPhase(window, (low, high, finest) =>
      attempt(slidingCounter(gridSpans(scene, low, high), scene, latch, marker), { low, high }, finest),
    );
  } else {
    const counter = variant.mechanism === 'counter, anchored';
    const chains = counter ? [...anchoredChains(scene, true), ...renewedChains(scene)] : anchoredChains(scene);
    for (const chain of chains) {
      if (attempt(counter ? slidingCounter(chain, scene, latch, marker) : fixedWindows(chain, scene), null)) break;
    }
  }

  const { best, contradictions } = search;
  if (best) return { ...best, contradictions: best.survives ? [] : contradictions };
  const model: Model = { alternatives: () => [], overfull: () => null };
  return {
    variant,
    layers,
    survives: events.every(({ outcome }) => outcome !== 'accepted' && outcome !== 'refused'),
    model,
    phase: null,
    origin: events[0]?.from ?? 0,
    offset: history.offset,
    contradictions: [],
    explained: 0,
  };
}

/** Looks for a phase in [0, window) that `survives`: depth first, halving. Stops at the first that cannot be split. */
function searchPhase(window: number, survives: (low: number, high: number, finest: boolean) => boolean): void {
  const parts = 16;
  const stack: [number, number][] = [];
  for (let part = parts - 1; part >= 0; part--) stack.push([(part * window) / parts, ((part + 1) * window) / parts]);
  for (let tried = 0; stack.length > 0; tried++) {
    const [low, high] = stack.pop() ?? [0, 0];
    const finest = high - low <= FINEST || tried > MOST_PARTS;
    if (!survives(low, high, finest)) continue;
    if (finest) return;
    const middle = (low + high) / 2;
    stack.push([middle, high], [low, middle]);
  }
}
