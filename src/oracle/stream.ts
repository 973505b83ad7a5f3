import { MarkerOrder } from './backward.ts';
import { ALL_LAYERS } from './check.ts';
import { Checker } from './checker.ts';
import { slidingCounter } from './counter.ts';
import { type Counts, countAnew } from './counts.ts';
import { type Event, type History, type Range, REFUND_DELAY, WINDOW } from './history.ts';
import { slidingLog } from './log.ts';
import { DRIFT, type Model, type ModelInput, type Span } from './model.ts';
import { findPlaces } from './totals.ts';
import type { Variant } from './variant.ts';
import { fixedWindows, gridSpan } from './windows.ts';

/** The most that clocks may drift apart over a run, in µs. A run with more is left to the search. */
const MOST_DRIFT = 1_000_000;

/** The least number of requests checked at a time. With fewer, recounting what went before would cost too much. */
const PIECE = 256;

/** What a streamed check knows about a budget: everything in a history except its events. */
export type Budget = Pick<History, 'limit' | 'shown' | 'unit' | 'offset' | 'shared'>;

/**
 * The check of `check.ts` for one mechanism with known parameters and any number of requests that come one by one. It
 * works in pieces: what a mechanism allows for a request depends only on the two windows before it and on requests sent
 * until it was answered, so the rest is forgotten. Memory is bounded by what is sent in three windows and the longest
 * time to an answer, not by the length of the run.
 *
 * What is explained here is explained by `check` too, and vice versa, except if clocks drift far apart, or if a refund
 * long ago explains a refusal. What is not explained here goes to the search of `explain.ts`, which alone refutes.
 */
export class StreamedCheck {
  readonly #budget: Budget;
  readonly #variant: Variant;
  readonly #phase: Range | null;
  readonly #piece: number;
  readonly #order: MarkerOrder;
  /** Events that are still needed, in order of `from`; those before `#next` have been checked. */
  #events: Event[] = [];
  #next = 0;
  #due: number;
  #checker: Checker | null = null;
  #origin = 0;
  #explained = true;

  /**
   * @param phase a start of some window (µs of the run's clock) for a grid or a counter on a grid; a log has none
   * @param piece how many requests are checked at a time, at least; it affects only the time that this takes
   * @throws RangeError for a mechanism on a grid without a phase, or one that is anchored
   */
  constructor(budget: Budget, variant: Variant, phase: Range | null, piece = PIECE) {
    const { mechanism } = variant;
    if (mechanism.startsWith('anchored') || mechanism === 'counter, anchored' || (mechanism !== 'log' && !phase)) {
      throw new RangeError(`A stream of requests cannot be held against the mechanism "${mechanism}" without a phase.`);
    }
    this.#budget = budget;
    this.#variant = variant;
    this.#phase = phase;
    this.#piece = piece;
    this.#order = new MarkerOrder(budget.unit ?? 0);
    this.#due = piece;
  }

  /**
   * Adds the next request in order of `from`.
   *
   * @returns false once it is known that the requests are not explained
   */
  push(event: Event): boolean {
    if (this.#order.take(event)) this.#explained = false;
    if (!this.#explained) return false;
    this.#events.push(event);
    if (this.#events.length >= this.#due) this.#checkUntil(event.from);
    return this.#explained;
  }

  /** Whether the mechanism explains all requests. Nothing can be added afterwards. */
  finish(): boolean {
    if (this.#explained) this.#checkUntil(Number.POSITIVE_INFINITY);
    return this.#explained;
  }

  /** Server clock minus client clock in µs, as far as the markers show it. */
  get offset(): Range {
    return this.#checker?.offset ?? this.#budget.offset;
  }

  /**
   * Checks, in order, the requests that had been answered when the last one was sent (`now`): later ones cannot affect
   * them.
   */
  #checkUntil(now: number): void {
    const events = this.#events;
    let end = this.#next;
    for (; end < events.length; end++) {
      const event = events[end];
      if (!event || (event.to >= now && event.outcome !== 'unclear')) break;
    }
    if (end > this.#next) this.#checkPiece(end);
    this.#due = this.#events.length + Math.max(this.#piece, this.#next);
  }

  #checkPiece(end: number): void {
    const { lag, counting } = this.#variant;
    const { limit, shared = false } = this.#budget;
    const events = this.#events;
    this.#checker ??= this.#begin(events);
    const counts = countAnew(events, counting);
    const places = findPlaces(counts, events);
    const input: ModelInput = { counts, counting, events, limit, window: WINDOW, lag, shared, places };
    const model = this.#modelOf(input);
    this.#explained = model.overfull(limit) === null;
    for (let at = this.#next; at < end && this.#explained; at++) {
      const event = events[at];
      if (event && this.#checker.take(model, event, at)) this.#explained = false;
    }
    this.#forget(end);
  }

  #begin([first]: readonly Event[]): Checker {
    this.#origin = first?.from ?? 0;
    const { counting, lag } = this.#variant;
    const terms = {
      ...this.#budget,
      origin: this.#origin,
      mostDrift: MOST_DRIFT,
      falling: true,
      returns: null,
      details: true,
    };
    return new Checker(terms, counting, ALL_LAYERS, lag);
  }

  #modelOf(input: ModelInput): Model {
    const { mechanism, reset, latch, marker } = this.#variant;
    if (mechanism === 'log') return slidingLog(input, reset);
    const spans = this.#spansOf(input);
    return mechanism === 'grid' ? fixedWindows(spans, input) : slidingCounter(spans, input, latch, marker);
  }

  /** The windows in which the kept events can have been decided, and the one before them. */
  #spansOf({ counts, events }: { counts: Counts; events: readonly Event[] }): readonly Span[] {
    const phase = this.#phase ?? { low: 0, high: 0 };
    const spans: Span[] = [];
    const from = (events[0]?.from ?? 0) - 2 * WINDOW - MOST_DRIFT;
    const driftAt = (time: number): number => Math.min(DRIFT * Math.abs(time - this.#origin), MOST_DRIFT);
    for (let number = Math.floor((from - phase.low) / WINDOW); ; number++) {
      const start = phase.low + number * WINDOW;
      if (start > counts.end) return spans;
      spans.push({ ...gridSpan(start, phase.high - phase.low, this.#variant.lag, driftAt, WINDOW), number });
    }
  }

  /** Drops what no event from index `next` on depends on. */
  #forget(next: number): void {
    const { mechanism, latch, counting, lag } = this.#variant;
    const events = this.#events;
    const oldest = (events[next] ?? events[events.length - 1])?.from ?? 0;
    // A counter uses the window before. Remaining is compared with values in the window before, and entries that have
    // left a log since then are older still.
    const since = oldest - 2 * WINDOW * (1 + DRIFT) - 2 * MOST_DRIFT - lag;
    const refusals = latch || counting.refusedCounted || mechanism === 'grid';
    const kept = events.filter(
      ({ to, outcome }, at) => at >= next || (to + REFUND_DELAY >= since && (refusals || outcome !== 'refused')),
    );
    this.#next = kept.length - (events.length - next);
    this.#events = kept;
  }
}
