import { type Event, type History, likelyOffset, type Outcome, type Range } from '../../oracle/history.ts';
import type { Leaving } from './drops.ts';

/** Markers at most this far apart (µs) may belong to one window: clocks and whole seconds move them. */
export const SAME_MARKER = 2_000_000;

/** Cost in requests: the end of a window is less likely than that it lasts, still less so before its marker. */
const TURN = 0.5;
const EARLY_TURN = 2 * TURN;

/**
 * Cost, in requests, if more is left than possible: then the request did not reach this node, if it can have reached
 * another.
 */
export const TOO_MUCH_LEFT = 1000;

/**
 * A marker that this node would not have stated belongs to another node, unless more than this many requests were
 * missing then.
 */
export const OF_ANOTHER = 10;

/** One request with those that were counted together with it, and those counted before. */
interface Counted {
  readonly event: Event;
  readonly count: number;
  readonly before: Counted | null;
}

/** How many requests a node has left when one arrives, and whether a window must have ended before. */
interface Left extends Range {
  readonly isNew: boolean;
  /** What it costs to assume so, in requests. */
  readonly turn: number;
}

/** How each node counts. */
export interface NodeLimiter {
  /** How requests leave the count. */
  readonly leaving: Leaving;
  /** How far the nodes' clocks may differ, in µs. */
  readonly lag: number;
  /** Length of the window, in µs. */
  readonly window: number;
  /** Whether refused requests are counted. */
  readonly refusedCounted: boolean;
}

/** The same, and whether the markers of a log state when its oldest entry leaves. */
interface Terms extends NodeLimiter {
  readonly tellsOldest: boolean;
}

/** What a node has counted of one budget, as far as its answers show. Immutable: changes give a new value. */
export class NodeCount {
  /** The last request that reached it. */
  readonly last: Event | null;
  readonly #history: History;
  readonly #terms: Terms;
  readonly #counted: Counted | null;
  readonly #leftAfter: number;
  /** The least Remaining that it stated since it was last known to have counted everything. */
  readonly #least: number;
  /** The last request that was asked about: each is compared with a node before it is counted there. */
  #asked: { readonly event: Event; readonly left: Left } | null = null;
  #signature?: string;

  private constructor(
    history: History,
    terms: Terms,
    last: Event | null,
    counted: Counted | null,
    leftAfter: number,
    least: number,
  ) {
    this.#history = history;
    this.#terms = terms;
    this.last = last;
    this.#counted = counted;
    this.#leftAfter = leftAfter;
    this.#least = least;
  }

  /** A node that has counted nothing. */
  static empty(history: History, limiter: NodeLimiter): NodeCount {
    const { leaving, window } = limiter;
    const tellsOldest = leaving === 'one by one' && !history.events.every((event) => isOwnEnd(event, window));
    return new NodeCount(history, { ...limiter, tellsOldest }, null, null, history.limit, Number.POSITIVE_INFINITY);
  }

  /**
   * If this answer were the node's own, how many more requests it would have counted than were found. An answer shows
   * all requests that were counted before it was written.
   */
  distance(event: Event): number {
    const { low, high, isNew, turn: own } = this.#left(event);
    const { outcome, remaining } = event;
    const turn = isNew ? own : this.#isOfAnother(event) ? OF_ANOTHER : 0;
    const least = isNew ? Number.POSITIVE_INFINITY : this.#least;
    const missing = Math.max(0, low - least);
    // No node answers for a window that has ended there, or that has not begun.
    if (high === NOTHING.high) return TOO_MUCH_LEFT;
    if (outcome === 'refused') return Math.max(0, low) - missing + turn;
    if (remaining === null) return turn;
    // It is unknown whether failed requests were counted.
    const most = outcome === 'accepted' ? high - 1 : high;
    if (remaining > most) return TOO_MUCH_LEFT;
    return Math.max(0, low - 1 - Math.min(least, remaining)) - missing + turn;
  }

  /** The node after a request. */
  with(event: Event): NodeCount {
    const { low, high, isNew } = this.#left(event);
    const { outcome, remaining } = event;
    const told = outcome === 'refused' ? 0 : (remaining ?? Number.POSITIVE_INFINITY);
    const isCounted =
      outcome === 'accepted' ||
      (outcome === 'refused' && this.#terms.refusedCounted) ||
      (MAY_COUNT.has(outcome) && remaining !== null && remaining < high);
    const least = Math.min(isNew ? Number.POSITIVE_INFINITY : this.#least, told);
    return this.#changed(event, isCounted ? this.#counting(event, 1) : this.#counted, low - Number(isCounted), least);
  }

  /** The node when nothing is under way. If requests are missing from Remaining, unrecorded ones were counted. */
  settled(): NodeCount {
    const { last } = this;
    if (!last || this.#least === Number.POSITIVE_INFINITY) return this;
    const missing = Math.max(0, this.#leftAfter - this.#least);
    const counted = missing > 0 ? this.#counting(last, missing) : this.#counted;
    return this.#changed(last, counted, this.#leftAfter - missing, Number.POSITIVE_INFINITY);
  }

  /** Two nodes with the same signature behave alike from now on. */
  get signature(): string {
    this.#signature ??= `${this.#leftAfter} ${this.#least} ${this.last?.reset}`;
    return this.#signature;
  }

  #changed(last: Event, counted: Counted | null, leftAfter: number, least: number): NodeCount {
    return new NodeCount(this.#history, this.#terms, last, counted, leftAfter, least);
  }

  /** The count after further requests. Only a log needs the time of each; a window is identified by its marker. */
  #counting(event: Event, count: number): Counted {
    const before = this.#counted;
    const isSame = this.#terms.leaving !== 'one by one' && before !== null && before.event.reset === event.reset;
    return isSame ? { ...before, count: before.count + count } : { event, count, before };
  }

  #left(event: Event): Left {
    if (this.#asked?.event !== event) this.#asked = { event, left: this.#leftAt(event) };
    return this.#asked.left;
  }

  #leftAt(event: Event): Left {
    const { limit } = this.#history;
    const { lag, window } = this.#terms;
    if (this.#terms.leaving === 'with the window') return this.#leftOfWindow(event);
    if (this.#terms.leaving === 'one by one') {
      const still = this.#within(event.from, ({ event: { to } }) => to > event.from - lag - window);
      const surely = this.#within(event.from, ({ event: { from } }) => from > event.to + lag - window);
      return { low: limit - still, high: limit - surely, isNew: false, turn: 0 };
    }
    const end = event.reset ?? Number.POSITIVE_INFINITY;
    const now = this.#within(event.from, ({ event: each }) => isNear(each.reset, end));
    const before = this.#within(event.from, ({ event: each }) => isNear(each.reset, end - window));
    // How far the clocks differ may be known to a second only, in which some requests leave.
    const { low, high } = this.#hasClock() ? this.#history.offset : { low: this.#offset(), high: this.#offset() };
    const share = (time: number): number => Math.min(1, Math.max(0, (end - time) / window));
    return {
      low: limit - now - Math.ceil(before * share(event.from + low)),
      high: limit - now - Math.floor(before * share(event.to + high)),
      isNew: false,
      turn: 0,
    };
  }

  #leftOfWindow({ from, to, reset, remaining, outcome }: Event): Left {
    const { limit } = this.#history;
    const window = this.#counted?.event.reset ?? null;
    const left = limit - this.#within(from, ({ event: each }) => window === null || isNear(each.reset, window));
    if (reset !== null && window !== null && reset < window - SAME_MARKER) return NOTHING;
    const isNew =
      this.#counted !== null &&
      (reset === null || window === null
        ? outcome === 'accepted' && remaining !== null && remaining >= left
        : !isNear(reset, window));
    // No node begins a window while its last one lasts.
    const early = isNew && window !== null && this.#hasClock() ? window - this.#offset() - to : 0;
    if (early > SAME_MARKER) return NOTHING;
    if (isNew) return { low: limit, high: limit, isNew, turn: early > 0 ? EARLY_TURN : TURN };
    return { low: left, high: left, isNew, turn: 0 };
  }

  /**
   * Whether the marker belongs to another log: it is not the end of the oldest request in this one, or of the newest if
   * markers state that.
   */
  #isOfAnother(event: Event): boolean {
    const { reset, from, to } = event;
    const { lag, window } = this.#terms;
    if (this.#terms.leaving !== 'one by one' || reset === null) return false;
    const ends = (low: Event, high: Event): boolean =>
      reset >= low.from + this.#offset() + window - SAME_MARKER &&
      reset <= high.to + this.#offset() + window + SAME_MARKER;
    if (!this.#terms.tellsOldest) return !ends(event, event) && !ends(this.#counted?.event ?? event, event);
    let still = event;
    let surely = event;
    for (let each = this.#counted; each && each.event.to > from - lag - window; each = each.before) {
      still = each.event;
      if (each.event.from > to + lag - window) surely = each.event;
    }
    return !ends(still, surely);
  }

  /** How many of the counted requests may still count when a request arrives that was sent at some time (µs). */
  #within(at: number, which: (counted: Counted) => boolean): number {
    // Nothing stays in the count for longer than its own window and the next.
    const longest = 2 * this.#terms.window + SAME_MARKER;
    let sum = 0;
    for (let each = this.#counted; each && each.event.to > at - longest; each = each.before) {
      if (which(each)) sum += each.count;
    }
    return sum;
  }

  #offset(): number {
    return likelyOffset(this.#history.offset);
  }

  #hasClock(): boolean {
    return Number.isFinite(this.#history.offset.low + this.#history.offset.high);
  }
}

/** Requests that may be counted: Remaining shows it. */
const MAY_COUNT: ReadonlySet<Outcome> = new Set(['failed', 'doubtful']);

/** What a window leaves that has ended, or that has not begun. */
const NOTHING: Left = { low: Number.NEGATIVE_INFINITY, high: Number.NEGATIVE_INFINITY, isNew: false, turn: 0 };

/** Whether the marker of an accepted request is the end of a window that it begins. */
function isOwnEnd({ outcome, to, reset }: Event, window: number): boolean {
  return outcome !== 'accepted' || reset === null || isNear(reset, to + window);
}

function isNear(reset: number | null, other: number): boolean {
  return reset !== null && Math.abs(reset - other) <= SAME_MARKER;
}
