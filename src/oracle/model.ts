import type { Placed } from './check.ts';
import { atLeast, type Counting, type Counts, countedAs } from './counts.ts';
import type { Event, Range } from './history.ts';
import type { Places } from './totals.ts';

/** Clocks may run apart by this much while one of them is slewed (adjtime(2), NTP): 500 parts per million. */
export const DRIFT = 5e-4;

/** What a mechanism says of a request, if it was decided in the window with this number. */
export interface Alternative {
  /** Least and greatest number of requests counted before it (for a sliding counter: estimated). */
  readonly low: number;
  readonly high: number;
  /** When the window resets (µs of the run's clock), before rounding. */
  readonly resetLow: number;
  readonly resetHigh: number;
  /** The same for requests whose marker must be the same; null where each request has its own. */
  readonly window: number | null;
  /** The same for requests that are counted together, none of which leaves the count before the last one comes; null where that is not known. */
  readonly countedIn: number | null;
  /** How many leave the count in a µs while these come, at the most: 0 where none does, nor weighs less; null where that is not known. */
  readonly leaving: number | null;
  /** From then on (µs) what is read may be of the next window; infinite where nothing ends at once. */
  readonly ends: number;
  /** A refusal here needs no full window: one before it in this window was refused already, and that is remembered. */
  readonly latched: boolean;
}

/** A stretch of time [start, end) in which requests are counted together, each end known to an interval (µs). */
export interface Span {
  readonly startLow: number;
  readonly startHigh: number;
  /** What was sent from then on is certainly counted here, unless it is later. */
  readonly sureFrom: number;
  readonly endLow: number;
  readonly endHigh: number;
  /** The earliest that its marker may lie; left out where that is its end. */
  readonly markerLow?: number;
  /** How many requests were counted in it before the history began, where it was open then. */
  readonly earlier?: Range;
  /** Its number in the run, where the windows that are looked at are only some of it; else its index is its number. */
  readonly number?: number;
  /** Requests decided about its start, of which some fell in it and the rest in the one before; see `straddling.ts`. */
  readonly straddling?: Straddling;
}

/** Requests that were all counted, and of which it is open how many came after a boundary. */
export interface Straddling {
  readonly size: number;
  /** How many of them came after it: at least and at most. */
  readonly after: Range;
  /** When all of them had been answered (µs). */
  readonly settled: number;
}

/** A mechanism with its parameters narrowed to intervals: every answer is a necessary condition and never a guess. */
export interface Model {
  /**
   * All that the mechanism allows for this request; empty where it allows nothing.
   *
   * @param at index of the event among those of the input, where it is known: it saves looking for it
   */
  alternatives(event: Event, at?: number): readonly Alternative[];
  /** A window into which more than the limit were certainly let. */
  overfull(limit: number): Span | null;
  /** The same model with its boundaries held to where these requests were decided; null where they tell nothing new. */
  settled?(placed: readonly Placed[]): Model | null;
  /** The same model by how bursts about its boundaries fell; null where there are none. */
  finer?(): Finer | null;
}

/** Parts of a model: one whole number for each burst, of the requests that came after the boundary. */
export interface Finer {
  readonly sizes: readonly number[];
  /** When each of the boundaries is, at the earliest (µs), in their order. */
  readonly starts: readonly number[];
  readonly part: (after: readonly Range[]) => Model;
}

/** What every model is made of. */
export interface ModelInput {
  readonly counts: Counts;
  readonly counting: Counting;
  readonly events: readonly Event[];
  readonly limit: number;
  /** Length of the window in µs. */
  readonly window: number;
  /** How far a single decision's clock may lag, in µs: 0, or 1 s for clocks that tick in whole seconds. */
  readonly lag: number;
  /** Whether others, of whom there is no event, may have been counted too. */
  readonly shared: boolean;
  /** Where the events lie in the counts, where that has been found already. */
  readonly places?: Places;
}

/** Whether all that was counted is among the events: else more may leave the count than is known to be in it. */
export function isAllKnown({ events, shared }: ModelInput): boolean {
  if (shared) return false;
  const known = ALL_OWN.get(events) ?? events.every(({ outcome }) => outcome !== 'foreign');
  ALL_OWN.set(events, known);
  return known;
}

/** Every model of a history asks for it. */
const ALL_OWN = new WeakMap<readonly Event[], boolean>();

/** 1 where the event is itself among what may have been counted, so that it is not taken as before itself. */
export function itself(event: Event, counting: Counting): number {
  return countedAs(event, counting) === 'none' ? 0 : 1;
}

/** The first span that certainly took in more than the limit. */
export function firstOverfull(spans: readonly Span[], { counts, counting, limit, events }: ModelInput): Span | null {
  // Refusals are counted beyond the limit, and what belongs to another budget is never refused here: then those let through have to be too many.
  if (counting.refusedCounted || events.some(({ outcome }) => outcome === 'foreign')) {
    const accepted = events.filter(({ outcome }) => outcome === 'accepted');
    const inside = (span: Span) => accepted.filter(({ from, to }) => from >= span.sureFrom && to < span.endLow).length;
    return spans.find((span) => inside(span) > limit) ?? null;
  }
  return spans.find((span) => (span.earlier?.low ?? 0) + atLeast(counts, span.sureFrom, span.endLow) > limit) ?? null;
}

/** Index of the first span that ends after `time`; spans ascend. */
export function firstSpan(spans: readonly Span[], time: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle]?.endHigh ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
