import { FINEST } from './candidates.ts';
import { ALL_LAYERS } from './check.ts';
import { slidingCounter } from './counter.ts';
import type { Counting } from './counting.ts';
import { countAnew } from './counts.ts';
import type { Explanation } from './explain.ts';
import { type History, type Range, WINDOW } from './history.ts';
import { slidingLog } from './log.ts';
import { phaseByMarkers } from './marker-phase.ts';
import { DRIFT, type Model, type ModelInput, type Span } from './model.ts';
import { SHAPES, variantOf } from './shapes.ts';
import { StreamedCheck } from './stream.ts';
import { findPlaces } from './totals.ts';
import type { MechanismName, Variant } from './variant.ts';
import { fixedWindows, gridSpans } from './windows.ts';
import { type Witness, WitnessSearch } from './witness.ts';

/** Shorter histories are searched as fast as they are streamed, and the search finds the simplest mechanism. */
const MANY = 2_000;

/** The most phases that are tried if the markers leave the phase open. */
const MOST_PHASES = 8;

/**
 * The explanation of a history that is found in one pass, in memory that does not grow with it: fixed windows by a
 * witness, and for a long history the other mechanisms by the check that the search makes, with the phase that the
 * markers show. Null if nothing was found. This does not refute the history: the search has to examine it.
 */
export function findWitness(history: History): Explanation | null {
  const { limit, shown, prior, events } = history;
  if (shown !== limit || prior) return null;
  return byWitness(history) ?? (events.length > MANY ? byStream(history) : null);
}

/** Whether even the answers alone have no witness. Requests without an answer may have been counted anywhere. */
export function lacksWitness({ limit, unit, offset, events }: History): boolean {
  if (unit === null) return true;
  const search = new WitnessSearch(limit, unit, offset);
  const answered = events.filter(({ outcome }) => outcome !== 'unclear');
  return !answered.every(({ from, to, outcome, remaining, reset }) => search.push(from, to, outcome, remaining, reset));
}

function byWitness(history: History): Explanation | null {
  const { limit, unit, offset, events } = history;
  if (unit === null) return null;
  const starts: number[] = [];
  const search = new WitnessSearch(limit, unit, offset, (low, high) => starts.push(low, high));
  for (const { from, to, outcome, remaining, reset } of events) {
    if (!search.push(from, to, outcome, remaining, reset)) return null;
  }
  const witness = search.finish();
  return witness && explanationOf(witness, history, starts);
}

function byStream(history: History): Explanation | null {
  const guess = phaseByMarkers(history);
  const phases = guess ? phasesIn(guess) : [];
  for (const variant of streamedVariants(history)) {
    for (const phase of variant.mechanism === 'log' ? [null] : phases) {
      const found = streamed(variant, phase, history);
      if (found) return found;
    }
  }
  return null;
}

/** Phases in the precision of the search, from the middle of the interval outwards. */
function phasesIn({ low, high }: Range): readonly Range[] {
  if (high - low <= FINEST) return [{ low, high }];
  const parts = Math.ceil((high - low) / FINEST);
  const width = (high - low) / parts;
  const numbers = Array.from({ length: parts }, (_, number) => number);
  const middle = (parts - 1) / 2;
  return numbers
    .sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle))
    .slice(0, MOST_PHASES)
    .map((number) => ({ low: low + number * width, high: low + (number + 1) * width }));
}

/** The shapes that can be streamed, with failed requests counted or not. */
function streamedVariants({ events }: History): readonly Variant[] {
  const groups = new Set(events.map(({ group }) => group).filter((group) => group !== ''));
  const choices = groups.size > 0 ? [new Set<string>(), groups] : [groups];
  const shapes = SHAPES.filter(({ mechanism, marker }) => STREAMED.includes(mechanism) && marker === undefined);
  return shapes.flatMap((form) =>
    choices.map((failedCounted) => variantOf(form, { failedCounted, undecided: new Set<string>() })),
  );
}

const STREAMED: readonly MechanismName[] = ['grid', 'log', 'counter'];

function streamed(variant: Variant, phase: Range | null, history: History): Explanation | null {
  const { events } = history;
  const stream = new StreamedCheck(history, variant, phase);
  for (const event of events) if (!stream.push(event)) return null;
  if (!stream.finish()) return null;
  const { counting, lag, reset, latch, marker } = variant;
  const origin = events[0]?.from ?? 0;
  const low = phase ? (((phase.low - origin) % WINDOW) + WINDOW) % WINDOW : 0;
  const found = phase && { low, high: low + phase.high - phase.low };
  const model = whenAsked(() => {
    const input = inputAnew(history, counting, lag);
    if (!found) return slidingLog(input, reset);
    const spans = gridSpans(input, found.low, found.high);
    return variant.mechanism === 'grid' ? fixedWindows(spans, input) : slidingCounter(spans, input, latch, marker);
  });
  return explanation(variant, history, model, found, stream.offset);
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
    const input = inputAnew(history, counting, 0);
    return fixedWindows(found ? gridSpans(input, found.low, found.high) : chainOf(starts), input);
  });
  return explanation(variant, history, model, found, offset);
}

function explanation(
  variant: Variant,
  { events }: History,
  model: Model,
  phase: Range | null,
  offset: Range,
): Explanation {
  return {
    variant,
    layers: ALL_LAYERS,
    survives: true,
    model,
    phase,
    box: phase ? [phase] : [],
    origin: events[0]?.from ?? 0,
    offset,
    contradictions: [],
    explained: events.length,
  };
}

/** An input without caches: a load run has thousands of such histories, and each is needed once. */
function inputAnew({ events, limit, shared = false }: History, counting: Counting, lag: number): ModelInput {
  const counts = countAnew(events, counting);
  return { counts, counting, events, limit, window: WINDOW, lag, shared, places: findPlaces(counts, events) };
}

/** Windows that each start within an interval. `starts` has the two ends of each interval, one after the other. */
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

/** A model that is made only when it is needed: most budgets of a load run are never plotted. */
function whenAsked(make: () => Model): Model {
  let made: Model | null = null;
  const model = (): Model => {
    made ??= make();
    return made;
  };
  return { alternatives: (event, at) => model().alternatives(event, at), overfull: (limit) => model().overfull(limit) };
}
