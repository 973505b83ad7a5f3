import type { Counting } from './census.ts';
import { ALL_LAYERS, DECISIONS, type Layers, WITH_REMAINING, WITH_RESET } from './check.ts';
import { type Explanation, explain, type Variant } from './explain.ts';
import { type Event, type History, WINDOW } from './history.ts';
import { phaseByMarkers } from './marker-phase.ts';

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

const WHOLE_SECOND = 1_000_000;

type Shape = Pick<Variant, 'mechanism' | 'lag' | 'reset' | 'marker' | 'latch'> & { readonly refusedCounted: boolean };

/** From the simplest to the most permissive, so that the first survivor is the best name. */
const SHAPES: readonly Shape[] = [0, WHOLE_SECOND].flatMap((lag) => [
  shape('grid', lag),
  shape('anchored', lag),
  shape('log', lag),
  shape('log', lag, { reset: 'now' }),
  shape('log', lag, { refusedCounted: true }),
  shape('log', lag, { refusedCounted: true, reset: 'slot' }),
  shape('log', lag, { refusedCounted: true, reset: 'now' }),
  shape('counter', lag),
  shape('counter', lag, { latch: true }),
  shape('counter', lag, { refusedCounted: true }),
  shape('counter, anchored', lag),
  shape('counter, anchored', lag, { latch: true }),
  shape('counter', lag, { marker: 'slot' }),
  shape('counter, anchored', lag, { marker: 'slot' }),
]);

function shape(mechanism: Shape['mechanism'], lag: number, options: Partial<Shape> = {}): Shape {
  return { mechanism, lag, refusedCounted: false, reset: 'oldest', latch: false, ...options };
}

const isCounter = ({ mechanism }: Shape): boolean => mechanism.startsWith('counter');
const COUNTERS_LAST: readonly Shape[] = [...SHAPES.filter((form) => !isCounter(form)), ...SHAPES.filter(isCounter)];

/**
 * What may explain decisions where nothing explains the whole history. A counter, or a log that takes in refusals, can
 * explain nearly any decisions: unless a header speaks for them, they excuse nothing.
 */
const PLAIN: readonly Shape[] = SHAPES.filter(
  ({ mechanism, refusedCounted }) => !refusedCounted && ['grid', 'anchored', 'log'].includes(mechanism),
);

/** More ways to count failed requests than these are not told apart. */
const MOST_COUNTINGS = 8;

/** How many events of a long history are looked at to see which mechanisms to try first. */
const OPENING = 1_000;

/** With more events than these, a phase that the markers tell is tried before all phases are searched. */
const MANY = 2_000;

interface Choice {
  readonly failedCounted: ReadonlySet<string>;
  readonly undecided: ReadonlySet<string>;
}

/**
 * The ways to count failed requests that the history leaves open: each class of them is held against the history by
 * itself, with the others undecided, before they are combined.
 */
function choices(history: History, window: number): readonly Choice[] {
  const groups = [...new Set(history.events.map((event) => event.group))].filter((group) => group !== '').sort();
  let open: Choice[] = [{ failedCounted: new Set(), undecided: new Set() }];
  for (const group of groups) {
    const others = new Set(groups.filter((other) => other !== group));
    const possible = [true, false].filter((counted) => {
      const failedCounted = new Set(counted ? [group] : []);
      return groups.length === 1 || someShape(history, { failedCounted, undecided: others }, ALL_LAYERS, window);
    });
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

function variantOf(form: Shape, choice: Choice): Variant {
  const { refusedCounted, ...rest } = form;
  const counting: Counting = { ...choice, refusedCounted };
  return { ...rest, counting };
}

/** With prior use a counter has two numbers more to search for, so that it is tried when the rest has failed. */
function shapesFor({ prior }: History): readonly Shape[] {
  return prior ? COUNTERS_LAST : SHAPES;
}

function someShape(history: History, choice: Choice, layers: Layers, window: number): boolean {
  return shapesFor(history).some((form) => explain(variantOf(form, choice), history, layers, window).survives);
}

function tryHint(history: History, { variant, phase, origin }: Explanation, window: number): Findings | null {
  const shifted = phase && { low: phase.low + origin, high: phase.high + origin };
  const best = explain(variant, history, ALL_LAYERS, window, shifted);
  if (!best.survives) return null;
  return { history, whole: [best], decisions: true, remaining: true, reset: true, best, refuted: [] };
}

/** All shapes, those first that explain how a long history begins: the order decides nothing but how soon one is found. */
function likeliestFirst(history: History, open: readonly Choice[], window: number): readonly Shape[] {
  const opening = { ...history, events: openingOf(history.events) };
  const likely = new Set(
    SHAPES.filter((form) =>
      open.some((choice) => explain(variantOf(form, choice), opening, ALL_LAYERS, window).survives),
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
  const whole: Explanation[] = [];
  const refuted: Explanation[] = [];
  for (const form of long ? likeliestFirst(history, open, window) : shapesFor(history)) {
    let furthest: Explanation | null = null;
    for (const choice of open) {
      const found = explain(variantOf(form, choice), history, ALL_LAYERS, window, guess);
      if (found.survives) whole.push(found);
      if (!furthest || (found.survives && !furthest.survives) || found.explained > furthest.explained) furthest = found;
      if (found.survives) break;
    }
    if (furthest && !furthest.survives) refuted.push(furthest);
    if (whole.length > 0 && options.depth !== 'all') break;
  }
  const [first] = whole;
  if (first) return { history, whole, decisions: true, remaining: true, reset: true, best: first, refuted };
  const furthest = refuted.reduce((one, other) => (other.explained > one.explained ? other : one));
  if (options.depth === 'whole') {
    return { history, whole, decisions: false, remaining: false, reset: false, best: furthest, refuted };
  }

  const reached = (layers: Layers, shapes: readonly Shape[]): Explanation | null => {
    for (const form of shapes) {
      for (const choice of open) {
        const found = explain(variantOf(form, choice), history, layers, window);
        if (found.survives) return found;
      }
    }
    return null;
  };
  const markers = reached(WITH_RESET, SHAPES);
  const remaining = reached(
    WITH_REMAINING,
    SHAPES.filter(({ refusedCounted, latch }) => !refusedCounted && !latch),
  );
  const decisions = markers ?? remaining ?? reached(DECISIONS, PLAIN);
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

/** How far a history is explained: 3 wholly, 2 decisions and Remaining, 1 decisions, 0 not even these. */
export function reach(findings: Findings): 0 | 1 | 2 | 3 {
  if (findings.whole.length > 0) return 3;
  if (findings.remaining) return 2;
  return findings.decisions ? 1 : 0;
}
