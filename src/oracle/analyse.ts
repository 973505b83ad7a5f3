import { ALL_LAYERS, DECISIONS, type Layers, WITH_REMAINING, WITH_RESET } from './check.ts';
import { type Explanation, explain, explains, unexplained } from './explain.ts';
import { type Event, type History, type Range, WINDOW } from './history.ts';
import { phaseByMarkers } from './marker-phase.ts';
import {
  type Choice,
  COUNTERS_LAST,
  FORGETFUL,
  LOGS_OF_REFUSALS,
  MARKED,
  NONE,
  PLAIN,
  QUICKEST_FIRST,
  SHAPES,
  type Shape,
  shape,
  variantOf,
  widestOf,
} from './shapes.ts';

/** Everything that the admissible mechanisms have to say of one budget. */
export interface Findings {
  readonly history: History;
  /** Explanations of all three layers of evidence, the simplest mechanism first. Empty where no mechanism explains them. */
  readonly whole: readonly Explanation[];
  /** Whether some mechanism explains the decisions; the decisions and Remaining; the decisions and Reset. */
  readonly decisions: boolean;
  readonly remaining: boolean;
  readonly reset: boolean;
  /** The explanation that goes furthest: of most layers, and of most requests. */
  readonly best: Explanation;
  /** Variants that do not explain everything, each as far as it goes. */
  readonly refuted: readonly Explanation[];
}

export interface AnalyseOptions {
  /** `all`: every mechanism, for reports. `first`: stop when one explains everything, for load. `whole`: as `first`, and where none does, not how far they go: for hypotheses. */
  readonly depth: 'all' | 'first' | 'whole';
  /** Length of the window in µs. */
  readonly window?: number;
  /** What explained another budget of the same run: tried first, since one deployment has one mechanism. */
  readonly hint?: Explanation | null;
}

/** More ways to count failed requests than these are not told apart. */
const MOST_COUNTINGS = 8;

/** How many events of a long history are looked at to see which mechanisms to try first. */
const OPENING = 1_000;

/** With more events than these, a phase that the markers tell is tried before all phases are searched. */
const MANY = 2_000;

/**
 * The ways to count failed requests that the history leaves open: each class of them is held against the history by
 * itself, with the others undecided, before they are combined.
 */
function choices(history: History, window: number): readonly Choice[] {
  const groups = [...new Set(history.events.map((event) => event.group))].filter((group) => group !== '').sort();
  let open: Choice[] = [NONE];
  const isPossible = groups.length > 1 ? underAnyShape(history, groups, window) : () => true;
  for (const group of groups) {
    const undecided = new Set(groups.filter((other) => other !== group));
    const possible = [true, false].filter((counted) =>
      isPossible({ failedCounted: new Set(counted ? [group] : []), undecided }),
    );
    const settings = possible.length === 0 ? [true, false] : possible;
    open = open.flatMap((choice) =>
      settings.map((counted) =>
        counted ? { ...choice, failedCounted: new Set([...choice.failedCounted, group]) } : choice,
      ),
    );
    if (open.length > MOST_COUNTINGS) return [{ failedCounted: new Set(), undecided: new Set(groups) }];
  }
  return open;
}

/**
 * Tells whether some shape explains the history wholly with a way to count. A shape that does not explain it with all groups of
 * failed requests left open is not tried again; the one that explained it last is tried first.
 */
function underAnyShape(history: History, groups: readonly string[], window: number): (choice: Choice) => boolean {
  const anyWay: Choice = { ...NONE, undecided: new Set(groups), loose: true };
  const latest = new Map<Shape, Explanation | null>();
  let order = QUICKEST_FIRST;
  const tryShape = (form: Shape, choice: Choice): Explanation | null => {
    const known = latest.get(form) ?? null;
    return explains(variantOf(form, choice), history, ALL_LAYERS, window, known && phaseOfRun(known));
  };
  return (choice) =>
    order.some((form) => {
      if (!latest.has(form)) latest.set(form, tryShape(form, anyWay));
      if (latest.get(form) === null) return false;
      const found = tryShape(form, choice);
      if (!found) return false;
      latest.set(form, found);
      order = [form, ...order.filter((other) => other !== form)];
      return true;
    });
}

/** All shapes, in the order in which they are tried. */
function shapesFor({ prior }: History): readonly Shape[] {
  return prior ? COUNTERS_LAST : SHAPES;
}

/** Whether some shape explains the history wholly: those first that cost least to try. */
function isExplained(history: History, choice: Choice, window: number, guess: Range | null = null): boolean {
  return QUICKEST_FIRST.some((form) => explains(variantOf(form, choice), history, ALL_LAYERS, window, guess) !== null);
}

/** Where the windows of an explanation start, in µs of the run's clock; null for mechanisms without a grid. */
function phaseOfRun({ phase, origin }: Explanation): Range | null {
  return phase && { low: phase.low + origin, high: phase.high + origin };
}

function tryHint(history: History, hint: Explanation, window: number): Findings | null {
  const best = explains(hint.variant, history, ALL_LAYERS, window, phaseOfRun(hint));
  if (!best) return null;
  return { history, whole: [best], decisions: true, remaining: true, reset: true, best, refuted: [] };
}

/** All shapes, those first that explain how a long history begins: the order decides nothing but how soon one is found. */
function likeliestFirst(history: History, open: readonly Choice[], window: number): readonly Shape[] {
  const opening = { ...history, events: openingOf(history.events) };
  const likely = new Set(
    SHAPES.filter((form) =>
      open.some((choice) => explains(variantOf(form, choice), opening, ALL_LAYERS, window) !== null),
    ),
  );
  return [...likely, ...SHAPES.filter((form) => !likely.has(form))];
}

/** The first events, those weakened that what comes after may have come before: so nothing is contradicted by the cut. */
function openingOf(events: readonly Event[]): readonly Event[] {
  const cut = events[OPENING]?.from ?? Number.POSITIVE_INFINITY;
  return events
    .slice(0, OPENING)
    .map((event) =>
      event.to < cut ? event : { ...event, outcome: 'unclear', group: '', remaining: null, reset: null },
    );
}

/**
 * Which admissible mechanisms explain the history of one budget, layer by layer. Pure: the same history gives the same
 * findings.
 */
export function analyse(history: History, options: AnalyseOptions): Findings {
  const window = options.window ?? WINDOW;
  if (options.hint) {
    const known = tryHint(history, options.hint, window);
    if (known) return known;
  }
  const long = options.depth !== 'all' && history.events.length > MANY;
  const guess = long ? phaseByMarkers(history) : null;
  const open = choices(history, window);
  const hopeless =
    (options.depth === 'whole' || history.prior !== undefined) &&
    !open.some((choice) => isExplained(history, choice, window, guess));
  if (hopeless && options.depth === 'whole') return refutedWholly(history, open);
  const whole: Explanation[] = [];
  const refuted: Explanation[] = [];
  const inParts = hopeless ? reachedInParts(history, open, window) : null;
  if (inParts && !inParts.markers && !inParts.remaining && !inParts.decisions) return refutedWholly(history, open);
  const look = options.depth === 'whole' ? explains : explain;
  for (const form of long ? likeliestFirst(history, open, window) : shapesFor(history)) {
    let furthest: Explanation | null = null;
    for (const choice of open) {
      const found = look(variantOf(form, choice), history, ALL_LAYERS, window, guess);
      if (!found) continue;
      if (found.survives) whole.push(found);
      if (!furthest || (found.survives && !furthest.survives) || found.explained > furthest.explained) furthest = found;
      if (found.survives) break;
    }
    if (furthest && !furthest.survives) refuted.push(furthest);
    if (whole.length > 0 && options.depth !== 'all') break;
  }
  const [first] = whole;
  if (first) return { history, whole, decisions: true, remaining: true, reset: true, best: first, refuted };
  if (options.depth === 'whole') return refutedWholly(history, open);
  const furthest = refuted.reduce((one, other) => (other.explained > one.explained ? other : one));
  const { markers, remaining, decisions } = inParts ?? reachedInParts(history, open, window);
  return {
    history,
    whole,
    decisions: decisions !== null,
    remaining: remaining !== null,
    reset: markers !== null,
    best: remaining ?? decisions ?? furthest,
    refuted,
  };
}

/** What explains some layers of a history that nothing explains wholly. */
interface InParts {
  readonly markers: Explanation | null;
  readonly remaining: Explanation | null;
  readonly decisions: Explanation | null;
}

function reachedInParts(history: History, open: readonly Choice[], window: number): InParts {
  const first = (layers: Layers, shapes: readonly Shape[]): Explanation | null => {
    for (const form of shapes) {
      for (const choice of open) {
        const found = explains(variantOf(form, choice), history, layers, window);
        if (found) return found;
      }
    }
    return null;
  };
  const reached = (layers: Layers, shapes: readonly Shape[]): Explanation | null =>
    first(layers, widestOf(shapes)) && first(layers, shapes);
  const markers = reached(WITH_RESET, MARKED);
  const remaining = reached(WITH_REMAINING, FORGETFUL) ?? reached(WITH_REMAINING, LOGS_OF_REFUSALS);
  return { markers, remaining, decisions: markers ?? remaining ?? reached(DECISIONS, PLAIN) };
}

/** Findings that say no more than that nothing explains the whole history. */
function refutedWholly(history: History, [choice = NONE]: readonly Choice[]): Findings {
  const form = shape('grid', 0);
  const best = unexplained(variantOf(form, choice), history, ALL_LAYERS);
  return { history, whole: [], decisions: false, remaining: false, reset: false, best, refuted: [] };
}

/** How far a history is explained: 3 wholly, 2 decisions and Remaining, 1 decisions, 0 not even these. */
export function reach(findings: Findings): 0 | 1 | 2 | 3 {
  if (findings.whole.length > 0) return 3;
  if (findings.remaining) return 2;
  return findings.decisions ? 1 : 0;
}
