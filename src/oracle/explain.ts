import { searchBursts } from './bursts.ts';
import { quietSearch } from './candidates.ts';
import { type Contradiction, check, type Layers } from './check.ts';
import { ConflictSet } from './conflict-set.ts';
import type { Event, History, Range } from './history.ts';
import { WINDOW } from './history.ts';
import { lacksSince } from './least-left.ts';
import type { Model } from './model.ts';
import { inputOf, lagIn } from './model-input.ts';
import { priorSearch } from './prior-use.ts';
import { type Box, searchBox } from './search.ts';
import { settle } from './settle.ts';
import type { Variant } from './variant.ts';
import type { Work } from './work.ts';

/** Whether a variant explains a history, and with which parameters. */
export interface Explanation {
  readonly variant: Variant;
  readonly layers: Layers;
  readonly survives: boolean;
  /** The model that explains it; if none does, the one that explains most of it. */
  readonly model: Model;
  /** The start of the grid's windows, in µs after the first event; null for mechanisms without a grid. */
  readonly phase: Range | null;
  /** The values of all parameters that were searched. */
  readonly box: Box;
  /** When the first event was sent, in µs of the run's clock. */
  readonly origin: number;
  readonly offset: Range;
  /** One for each part of the parameter space that was ruled out, the best explanation's first. */
  readonly contradictions: readonly Contradiction[];
  readonly explained: number;
}

/** The search for parameters stops (undecided, so surviving) after this many parts. */
const MOST_PARTS = 1_500;

/** The positions of bursts are searched in this many parts if the model itself is still to be split. */
const FEW_PARTS = 48;

const MOST_CONTRADICTIONS = 64;

/**
 * In longer histories, the positions of bursts are not searched: this refutes more, but takes a search for each part.
 */
const FINER_EVENTS = 1_000;

interface Search {
  best: Explanation | null;
  contradictions: Contradiction[];
}

/**
 * Whether some parameters of the variant explain the history on the given layers. Grids are found by bisecting the
 * circle of phases until a part is ruled out or too small to split, so what is ruled out is so for every phase.
 *
 * @param hint a phase that explained another budget (µs of the run's clock), tried before the search
 * @param window length of the window in µs; other than a minute only to find out what a deployment does instead
 */
export function explain(
  variant: Variant,
  history: History,
  layers: Layers,
  window = WINDOW,
  hint: Range | null = null,
  work: Work | null = null,
): Explanation {
  return searchFor(variant, history, layers, window, hint, 'why', work);
}

/**
 * An explanation such as the same search finds, or null, in a fraction of the time: without the contradictions.
 *
 * @param known what explained the history with other ways to count or another window: its parameters are tried first
 */
export function explains(
  variant: Variant,
  history: History,
  layers: Layers,
  window = WINDOW,
  hint: Range | null = null,
  work: Work | null = null,
  known: Explanation | null = null,
): Explanation | null {
  const found = searchFor(variant, history, layers, window, hint, 'whether', work, known);
  return found.survives ? found : null;
}

/**
 * Whether a variant explains the history if its windows begin within a range, in each minute: those of a grid, or those
 * that were open before the history. Windows that requests begin do so as ever.
 *
 * @param start µs of the run's clock, or whole windows away from it
 */
export function explainsFrom(
  start: Range,
  variant: Variant,
  history: History,
  layers: Layers,
  window: number,
  work: Work,
): boolean {
  return searchFor(variant, history, layers, window, start, 'at the hint', work).survives;
}

/**
 * What a search is to find: whether something explains the history; if nothing does, also what contradicts each part,
 * and how far the best goes; or whether the hint does.
 */
type Aim = 'whether' | 'why' | 'at the hint';

function searchFor(
  variant: Variant,
  history: History,
  layers: Layers,
  window: number,
  hint: Range | null,
  aim: Aim,
  work: Work | null,
  known: Explanation | null = null,
): Explanation {
  const why = aim === 'why';
  const { events } = history;
  const lacking = layers.remaining ? lacksSince(history, variant) : null;
  if (lacking) return { ...unexplained(variant, history, layers), contradictions: [lacking] };
  const { counting, mechanism } = variant;
  const onGrid = mechanism === 'grid' || mechanism === 'counter';
  const lag = lagIn(variant, window);
  const input = inputOf(history, counting, window, lag);
  const search: Search = { best: null, contradictions: [] };
  const conflict = new ConflictSet();
  let passed = false;
  /** The request that contradicted the last part. */
  let failing: Event | null = null;
  /** @param leaf whether the model will not be split further */
  const attempt = (model: Model, box: Box, whole: boolean, leaf: boolean): boolean => {
    if (!why && conflict.list.length > 0) {
      work?.spend(conflict.list.length);
      const { contradiction } = check(model, history, counting, layers, lag, conflict.list);
      if (contradiction) {
        failing = contradiction.event;
        passed = false;
        return false;
      }
      // If the whole is not contradicted, its first half seldom is: contradictions occur further down.
      if (!leaf && passed) return true;
    }
    const outcome = whole
      ? settle(model, history, counting, layers, lag)
      : check(model, history, counting, layers, lag);
    const { contradiction, explained, offset } = outcome;
    work?.spend(explained + 1);
    if (contradiction && !why) conflict.add(outcome.conflict);
    passed = contradiction === null;
    if (contradiction) failing = contradiction.event;
    const survives = contradiction === null && whole;
    const better = survives || !search.best || (contradiction !== null && explained > search.best.explained);
    if (contradiction && search.contradictions.length < MOST_CONTRADICTIONS) search.contradictions.push(contradiction);
    if (better && !search.best?.survives) {
      search.best = {
        variant,
        layers,
        survives,
        model,
        phase: phaseOf(box),
        box,
        origin: events[0]?.from ?? 0,
        offset,
        contradictions: contradiction ? [contradiction] : [],
        explained,
      };
    }
    return contradiction === null;
  };

  const { dimensions, models } = history.prior
    ? priorSearch(variant, input, history.prior, history)
    : quietSearch(variant, input);
  /** Whether the positions of bursts ruled out the part before: then they may rule out a larger one at once. */
  let byBursts = false;
  const phaseOf = ([side]: Box): Range | null => (onGrid ? (side ?? null) : null);
  const tryModel = (model: Model, box: Box, finest: boolean): boolean => {
    const phase = phaseOf(box);
    const isNarrow = phase !== null && phase.high - phase.low <= window / 2;
    const asksBursts = (finest || (byBursts && isNarrow && !why)) && events.length <= FINER_EVENTS;
    const finer = asksBursts ? (model.finer?.() ?? null) : null;
    if (!attempt(model, box, finest && finer === null, finest)) return false;
    if (!finer) return true;
    const survives = (part: Model, last: boolean): boolean => attempt(part, box, last && finest, last);
    const most = finest ? MOST_PARTS : FEW_PARTS;
    byBursts = !searchBursts(finer, survives, { most, window, failing: () => failing });
    return !byBursts;
  };
  const tryBox = (box: Box, finest: boolean): boolean => {
    // Placing windows after requests takes about as long as comparing a model with them.
    const [phase] = box;
    if (ruledOut && phase && phase.low >= ruledOut.low && phase.high <= ruledOut.high) return false;
    const made = models(box);
    work?.spend(made.length * events.length);
    return made.some((model) => tryModel(model, box, finest));
  };
  /** Phases (µs after the first event) that need not be tried again. */
  let ruledOut: Range | null = null;
  if (hint && (aim === 'at the hint' || (onGrid && !history.prior))) {
    const origin = events[0]?.from ?? 0;
    const low = (((hint.low - origin) % window) + window) % window;
    const high = low + hint.high - hint.low;
    const [phase, ...rest] = dimensions;
    searchBox(phase ? [{ ...phase, low, high }, ...rest] : [], tryBox, MOST_PARTS);
    if (search.best?.survives) return { ...search.best, contradictions: [] };
    if (aim === 'at the hint') return search.best ?? unexplained(variant, history, layers);
    if (!why) ruledOut = { low, high };
    search.best = null;
    search.contradictions = [];
  }
  const isSearched = dimensions.length > 0 && known?.box.length === dimensions.length;
  if (isSearched && known.variant.mechanism === mechanism) {
    if (tryBox(known.box, true) && search.best?.survives) return { ...search.best, contradictions: [] };
    search.best = null;
  }
  searchBox(dimensions, tryBox, MOST_PARTS);

  const { best, contradictions } = search;
  if (!best) return unexplained(variant, history, layers);
  return { ...best, contradictions: best.survives ? [] : contradictions };
}

/** The result for a variant without a model to compare with the history, or if only its failure matters. */
export function unexplained(variant: Variant, { events, offset }: History, layers: Layers): Explanation {
  return {
    variant,
    layers,
    survives: events.every(({ outcome }) => outcome !== 'accepted' && outcome !== 'refused'),
    model: { alternatives: () => [], overfull: () => null },
    phase: null,
    box: [],
    origin: events[0]?.from ?? 0,
    offset,
    contradictions: [],
    explained: 0,
  };
}
