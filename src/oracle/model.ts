import type { Placed } from './check.ts';
import { type Counting, countedAs } from './counting.ts';
import { atLeast, type Counts, mostReturned, underWay } from './counts.ts';
import { type Beside, type Event, isAnothers, type Range } from './history.ts';
import { limitedOf } from './limited.ts';
import type { Places } from './totals.ts';

/** Clocks may drift apart by this much while one of them is adjusted (adjtime(2), NTP): 500 parts per million. */
export const DRIFT = 5e-4;

/** What a mechanism allows for a request that was decided in the window with this number. */
export interface Alternative {
  /** The lowest and highest number of requests counted before it (in a sliding counter: the estimate). */
  readonly low: number;
  readonly high: number;
  /** When the window resets (µs of the run's clock), before rounding. */
  readonly resetLow: number;
  readonly resetHigh: number;
  /** Whether the window resets then, whoever else uses the key; left out: others may have begun it earlier. */
  readonly alone?: boolean;
  /** Equal for requests that must have the same marker; null if each request has its own. */
  readonly window: number | null;
  /**
   * Equal for requests that are counted together, none of which leaves the count before the last one comes; null if
   * unknown.
   */
  readonly countedIn: number | null;
  /** The most that leaves the count in a µs meanwhile: 0 if nothing leaves or loses weight; null if unknown. */
  readonly leaving: number | null;
  /** Whether what was counted in it still weighs on the window after it. */
  readonly outlasts: boolean;
  /** Values read from then on (µs) may belong to the next window; infinite if nothing ends at once. */
  readonly ends: number;
  /**
   * A refusal here needs no full window: an earlier request in this window was refused, and the limiter remembers that.
   */
  readonly latched: boolean;
  /**
   * The most that a refusal may say is left: what can have left the count, or been given back, since it was decided.
   * Infinite for answers that say nothing of this.
   */
  readonly regained: number;
}

/** What a window allows of which nothing is known. */
export const ANY_WINDOW: Alternative = {
  low: 0,
  high: Number.POSITIVE_INFINITY,
  resetLow: Number.NEGATIVE_INFINITY,
  resetHigh: Number.POSITIVE_INFINITY,
  window: null,
  countedIn: null,
  leaving: null,
  outlasts: false,
  ends: Number.POSITIVE_INFINITY,
  latched: false,
  regained: Number.POSITIVE_INFINITY,
};

/** A period [start, end) in which requests are counted together. Each end is known to an interval (µs). */
export interface Span {
  readonly startLow: number;
  readonly startHigh: number;
  /** Requests sent from then on are certainly counted here or later. */
  readonly sureFrom: number;
  readonly endLow: number;
  readonly endHigh: number;
  /** The earliest possible marker; absent if that is the end. */
  readonly markerLow?: number;
  /** How many requests were counted in it before the history began, if it was open then. */
  readonly earlier?: Range;
  /** Its number in the run, if only some windows of the run are examined; otherwise its index is its number. */
  readonly number?: number;
  /** Requests decided around its start, some of them in it and the others in the one before; see `straddling.ts`. */
  readonly straddling?: Straddling;
}

/** Requests that were all counted, though it is open how many of them came after a boundary. */
export interface Straddling {
  readonly size: number;
  /** The lowest and highest number of them that came after it. */
  readonly after: Range;
  /** When all of them had been answered (µs). */
  readonly settled: number;
}

/** A mechanism with intervals as parameters. Every answer is a necessary condition, never a guess. */
export interface Model {
  /**
   * Everything that the mechanism allows for this request; empty if it allows nothing.
   *
   * @param at index of the event in the input, if known: it saves a search
   */
  alternatives(event: Event, at?: number): readonly Alternative[];
  /** A window that certainly accepted more than the limit. */
  overfull(limit: number): Span | null;
  /** The same model with its boundaries narrowed by requests with a certain window; null if they show nothing new. */
  settled?(placed: readonly Placed[]): Model | null;
  /** The model split by how bursts fell around its boundaries; null if there are none. */
  finer?(): Finer | null;
}

/** Parts of a model: for each burst, the whole number of its requests that came after the boundary. */
export interface Finer {
  readonly sizes: readonly number[];
  /** The earliest time of each boundary (µs), in order. */
  readonly starts: readonly number[];
  readonly part: (after: readonly Range[]) => Model;
}

/** The input of every model. */
export interface ModelInput {
  readonly counts: Counts;
  readonly counting: Counting;
  readonly events: readonly Event[];
  readonly limit: number;
  /** Length of the window in µs. */
  readonly window: number;
  /** How far the clock of a single decision may lag, in µs: 0, or 1 s for clocks that tick in whole seconds. */
  readonly lag: number;
  /** Whether others, for whom there is no event, may have been counted too. */
  readonly shared: boolean;
  /** Where the events lie in the counts, if this is known already. */
  readonly places?: Places;
  /** As in the history; left out: no. */
  readonly racing?: boolean;
  /** As in the history. */
  readonly beside?: Beside;
}

/** `Alternative.regained`. @param left the most that can have left the count while the request was under way */
export function regainedBy(event: Event, counts: Counts, left: () => number): number {
  if (event.outcome !== 'refused' || !event.remaining) return Number.POSITIVE_INFINITY;
  const refunded = underWay(counts.transientFrom, counts.transientTo, event);
  // Those whose answers are not known may have been given back, too.
  const possible = underWay(counts.possibleFrom, counts.possibleTo, event);
  const certain = underWay(counts.certainFrom, counts.certainTo, event);
  return left() + refunded + Math.max(0, possible - certain) + mostReturned(counts, event.from, event.to);
}

/** Whether all counted requests are among the events. Otherwise more may leave the count than is known to be in it. */
export function isAllKnown({ events, shared }: ModelInput): boolean {
  if (shared) return false;
  const known = ALL_OWN.get(events) ?? events.every(({ outcome }) => outcome !== 'background');
  ALL_OWN.set(events, known);
  return known;
}

/** Every model of a history needs it. */
const ALL_OWN = new WeakMap<readonly Event[], boolean>();

/**
 * 1 if the event itself is among those that may have been counted, so that it is not counted as before itself;
 * otherwise 0.
 */
export function itself(event: Event, counting: Counting): number {
  return countedAs(event, counting) === 'none' ? 0 : 1;
}

/** The first span that certainly accepted more than the limit. */
export function firstOverfull(spans: readonly Span[], { counts, counting, limit, events }: ModelInput): Span | null {
  // Refusals are counted beyond the limit, and requests of another budget are never refused here. Then only accepted
  // requests can be too many.
  if (counting.refusedCounted || events.some(({ outcome }) => isAnothers(outcome))) {
    const { events: limited, beyond } = limitedOf(events);
    const inside = (span: Span) => limited.filter(({ from, to }) => from >= span.sureFrom && to < span.endLow).length;
    return spans.find((span) => inside(span) > limit + beyond) ?? null;
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
