import { SECOND } from '../deployment/deployment.ts';
import { modulo } from '../deployment/modulo.ts';
import { type Event, type History, type Range, WINDOW } from '../oracle/history.ts';
import { SHAPES, shape } from '../oracle/shapes.ts';
import { besideOthers } from './beside-others.ts';
import type { Fit } from './fit.ts';
import type { Fitter } from './fitter.ts';
import { type World, withEvents } from './world.ts';

/** Lengths of steps that divide a minute, in s, shortest first. */
const STEPS = [3, 4, 5, 6, 7.5, 10, 12, 15, 20, 30];

/** Bits to state that a log has steps, as one log in two may. */
const KIND_BITS = 1;

/** A sliding window in steps that explains budgets. */
export interface Stepped {
  readonly fit: Fit;
  /** The histories with the requests of each step at its beginning. */
  readonly histories: readonly History[];
  /** How long a step may be, in µs. */
  readonly step: Range;
  /** Bits to state the steps and when they begin. */
  readonly bits: number;
}

/**
 * A sliding window that takes the requests of each step of time as one, and drops them a minute after the step began.
 * Any six steps of 10 s are a minute, in which no more than the limit is let through. Steps of a minute are a fixed
 * window, and the shortest are a sliding log, so clause 8 leaves open how long they are. When steps begin is stated to
 * a second: for all budgets, or if that explains nothing, for each.
 *
 * @returns null if no steps explain the budgets, with their markers
 */
export function findSteps(world: World, fitter: Fitter): Stepped | null {
  // Shorter steps leave less open than longer ones.
  const refuted = STEPS.findLastIndex((seconds) => !fitter.fit(keptFor(world, seconds * SECOND)));
  const found: (Omit<Stepped, 'step'> & { readonly length: number })[] = [];
  for (const marker of MARKERS) {
    for (const seconds of STEPS.slice(refuted + 1)) {
      const step = seconds * SECOND;
      const fit = fitIn(world, step, marker, fitter);
      const bits = KIND_BITS + Math.log2(STEPS.length);
      if (fit) found.push({ ...fit, length: step, bits: bits + Math.log2(seconds) * fit.starts });
    }
    if (found.length > 0) break;
  }
  const [shortest] = [...found].sort((one, other) => one.bits - other.bits);
  const lengths = found.map(({ length }) => length);
  return shortest ? { ...shortest, step: { low: Math.min(...lengths), high: Math.max(...lengths) } } : null;
}

/**
 * The budgets in steps, if any use by others beside them is allowed, and the logs that explain them then. Markers tell
 * when steps begin, unless they are reckoned from the answers. Null if no steps explain the budgets even so.
 */
export function stepsBesideOthers(world: World, fitter: Fitter): Pick<World, 'histories' | 'shapes'> | null {
  const marker = areAhead(world.histories) ? 'answer' : 'step';
  for (const seconds of STEPS) {
    const step = seconds * SECOND;
    for (const start of marker === 'answer' ? startsIn(step) : toldStart(world.histories, step)) {
      const histories = world.histories.map((history) => inSteps(history, { step, start, marker }));
      const beside = { ...world, histories: besideOthers(histories), shapes: LOGS };
      const shapes = [...fitter.all(beside)].map(({ shape: log }) => log);
      if (shapes.length > 0) return { histories, shapes };
    }
  }
  return null;
}

/** Whether all markers are a minute after their answers, so that they tell nothing of steps. */
function areAhead(histories: readonly History[]): boolean {
  return histories.every(({ events, unit, offset: { low, high } }) => {
    const slack = SECOND + (unit ?? 0);
    return events.every(({ from, to, reset }) => {
      return reset === null || (reset >= from + WINDOW + low - slack && reset <= to + WINDOW + high + slack);
    });
  });
}

/** When steps may begin, in µs. */
function startsIn(step: number): readonly number[] {
  return Array.from({ length: Math.ceil(step / SECOND) }, (_, at) => at * SECOND);
}

/** When steps begin of which all markers are ends, in µs of the run's clock; none if they are no such ends. */
function toldStart(histories: readonly History[], step: number): readonly number[] {
  const told = histories.flatMap(({ events, limit, offset: { low, high } }) =>
    events.flatMap((event) => (tells(event, limit, 'step') ? [(event.reset ?? 0) - (low + high) / 2] : [])),
  );
  const [first] = told;
  if (first === undefined || !Number.isFinite(first)) return [];
  const apart = (time: number): number => ((((time - first) % step) + 1.5 * step) % step) - step / 2;
  const [least, most] = told
    .map(apart)
    .reduce(([low, high], each) => [Math.min(low, each), Math.max(high, each)], [0, 0]);
  return most - least > SECOND ? [] : [modulo(first + (least + most) / 2, step)];
}

/** What a marker is reckoned from: the beginning of a step, or the time of its answer. */
const MARKERS = ['step', 'answer'] as const;

/** Whether a marker tells when steps begin. That of a budget of which nothing was spent need not be the end of one. */
function tells({ reset, remaining }: Event, limit: number, marker: Steps['marker']): boolean {
  return reset !== null && (marker === 'answer' || remaining === null || remaining < limit);
}

interface Steps {
  /** In µs. */
  readonly step: number;
  /** When the first one begins, in µs of the run's clock. */
  readonly start: number;
  readonly marker: (typeof MARKERS)[number];
}

/** The world in which a log keeps each request for any time from a minute less a step to a minute. */
function keptFor(world: World, step: number): World {
  const lag = step / 2;
  return {
    ...world,
    layers: { ...world.layers, reset: false },
    window: WINDOW - step / 2,
    shapes: [shape('log', lag), shape('log', lag, { refusedCounted: true })],
  };
}

/** The shapes of a log, whose entries have exact times. */
const LOGS = SHAPES.filter(({ mechanism, lag }) => mechanism === 'log' && lag === 0);

/** How much of the time since the first step is kept, so that all requests stay in order. */
const WITHIN_STEP = 1e-3;

/**
 * The fit of steps of one length that begin at the same time for all budgets, or if none does, at a time of its own for
 * each; how many times these are; and the histories in these steps. Null if there is none.
 */
function fitIn(world: World, step: number, marker: Steps['marker'], fitter: Fitter): InSteps | null {
  const all = startsIn(step);
  const fitAt = (parts: readonly History[], startOf: (at: number) => number): Omit<InSteps, 'starts'> | null => {
    const histories = parts.map((history, at) => inSteps(history, { step, start: startOf(at), marker }));
    if (!histories.every((history, at) => keepsMarkers(history, parts[at], marker))) return null;
    const fit = fitter.fit({ ...world, histories, shapes: LOGS });
    return fit && { fit, histories };
  };
  for (const start of all) {
    const together = fitAt(world.histories, () => start);
    if (together) return { ...together, starts: 1 };
  }
  const own = world.histories.map((history) => all.find((start) => fitAt([history], () => start)));
  if (own.includes(undefined)) return null;
  const apart = fitAt(world.histories, (at) => own[at] ?? 0);
  return apart && { ...apart, starts: new Set(own).size };
}

/** At least this share of the markers has to tell something: steps are several times longer than most answers take. */
const LEAST_TOLD = 2 / 3;

function keepsMarkers({ events, limit }: History, recorded: History | undefined, marker: Steps['marker']): boolean {
  const told = (each: readonly Event[]): number => each.filter((event) => tells(event, limit, marker)).length;
  return told(events) >= LEAST_TOLD * told(recorded?.events ?? []);
}

interface InSteps extends Pick<Stepped, 'fit' | 'histories'> {
  readonly starts: number;
}

/** The history with the requests of each step at its beginning. A start is known to half a second. */
function inSteps(history: History, { step, start, marker }: Steps): History {
  const begin = (time: number): number => start + Math.floor((time - start) / step) * step;
  // What is kept grows from step to step, so that a request leaves with its step, and not within one.
  const at = (time: number): number => begin(time) + (time - start) * WITHIN_STEP;
  const moved = withEvents(history, ({ countedBy, ...event }) => {
    const [from, to] = [event.from - SECOND / 2, event.to + SECOND / 2];
    const within = begin(from) === begin(to) ? (from + to) / 2 - begin(from) : null;
    const ahead = marker === 'step' ? 0 : within;
    const isTold = ahead !== null && tells(event, history.limit, marker);
    return {
      ...event,
      ...{ from: at(from), to: at(to) },
      // What the marker of a request states that may be of either of two steps is open.
      reset: event.reset !== null && isTold ? event.reset - ahead : null,
      ...(countedBy === undefined ? {} : { countedBy: at(countedBy + SECOND / 2) }),
    };
  });
  const { low, high } = history.offset;
  const longest = history.events.reduce((most, { from, to }) => Math.max(most, to - from), 0);
  const unit = moved.unit === null ? null : Math.max(moved.unit, SECOND) + (marker === 'answer' ? longest : 0);
  return { ...moved, unit, offset: { low: low - SECOND, high: high + SECOND } };
}
