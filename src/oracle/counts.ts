import { ascending, below, upTo } from './ascending.ts';
import { type Counting, countedAs, mayReturn } from './counting.ts';
import { type Event, REFUND_DELAY, RELEASE_DELAY } from './history.ts';

/**
 * How many requests were counted by a time, as two bounds, whatever the decision times within `[from, to]`. Mechanisms
 * only ask for numbers of starts and ends before a time, so each question is a search in a sorted array.
 */
export interface Counts {
  /** Starts and ends (µs, ascending) of requests that were certainly counted. */
  readonly certainFrom: Float64Array;
  readonly certainTo: Float64Array;
  /** Starts and ends of requests that may have been counted (including certain ones). */
  readonly possibleFrom: Float64Array;
  readonly possibleTo: Float64Array;
  /** For the i-th of `possibleFrom`: the latest end among the first i + 1. */
  readonly latestTo: Float64Array;
  /** Starts and ends of requests that count only while under way: failed ones that are not counted or are refunded. */
  readonly transientFrom: Float64Array;
  readonly transientTo: Float64Array;
  /**
   * Starts and ends of those of the transient ones that are among the possible ones as well: it is open how they count.
   */
  readonly eitherFrom: Float64Array;
  readonly eitherTo: Float64Array;
  /** Starts and ends of refusals. */
  readonly refusedFrom: Float64Array;
  readonly refusedTo: Float64Array;
  /** Starts and ends of requests that gave one back. */
  readonly returnedFrom: Float64Array;
  readonly returnedTo: Float64Array;
  /** Starts and ends of requests that may have given one back (including certain ones). */
  readonly returnableFrom: Float64Array;
  readonly returnableTo: Float64Array;
  /** The latest end of all events; −∞ if there are none. */
  readonly end: number;
}

/** The counts of a history under one way to count. Cached, because a search asks for the same ones again and again. */
export function countsOf(events: readonly Event[], counting: Counting): Counts {
  const taken = TAKEN.get(events) ?? new Map<string, Counts>();
  TAKEN.set(events, taken);
  const { failedCounted, undecided, refusedCounted, loose = false } = counting;
  const name = `${nameOf(failedCounted)} ${nameOf(undecided)} ${refusedCounted} ${loose}`;
  const known = taken.get(name);
  if (known) return known;
  const counts = countAnew(events, counting);
  taken.set(name, counts);
  return counts;
}

const TAKEN = new WeakMap<readonly Event[], Map<string, Counts>>();

function nameOf(groups: ReadonlySet<string>): string {
  if (groups.size === 0) return '[]';
  const known = NAMES.get(groups) ?? JSON.stringify([...groups]);
  NAMES.set(groups, known);
  return known;
}

const NAMES = new WeakMap<ReadonlySet<string>, string>();

/** As `countsOf`, without a cache, for events that are needed only once. */
export function countAnew(events: readonly Event[], counting: Counting): Counts {
  const certain = new Times(events.length);
  const possible = new Times(events.length);
  const transient = new Times(events.length);
  const either = new Times(events.length);
  const refused = new Times(events.length);
  const returned = new Times(events.length);
  const returnable = new Times(events.length);
  const latestTo = new Float64Array(events.length);
  let latest = Number.NEGATIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const event of events) {
    const { from, countedBy: to = event.to } = event;
    end = Math.max(end, to);
    const role = countedAs(event, counting);
    if (role === 'certain') certain.add(from, to);
    const isOpen = counting.loose === true && event.outcome === 'failed';
    const delay = event.outcome === 'released' ? RELEASE_DELAY : REFUND_DELAY;
    if (role === 'transient' || isOpen) transient.add(from, to + delay);
    if (role !== 'transient' && isOpen) either.add(from, to);
    if (role === 'certain' || role === 'possible') {
      latest = Math.max(latest, to);
      latestTo[possible.size] = latest;
      possible.add(from, to);
    }
    if (event.outcome === 'refused') refused.add(from, to);
    if (event.outcome === 'returned') returned.add(from, to);
    if (mayReturn(event)) returnable.add(from, to);
  }
  return {
    certainFrom: certain.starts(),
    certainTo: certain.ends(),
    latestTo: latestTo.slice(0, possible.size),
    possibleFrom: possible.starts(),
    possibleTo: possible.ends(),
    transientFrom: transient.starts(),
    transientTo: transient.ends(),
    eitherFrom: either.starts(),
    eitherTo: either.ends(),
    refusedFrom: refused.starts(),
    refusedTo: refused.ends(),
    returnedFrom: returned.starts(),
    returnedTo: returned.ends(),
    returnableFrom: returnable.starts(),
    returnableTo: returnable.ends(),
    end,
  };
}

/** Starts and ends of one class of events. Most classes of most histories are empty, so these take no room. */
class Times {
  size = 0;
  readonly #most: number;
  #from = NONE;
  #to = NONE;

  constructor(most: number) {
    this.#most = most;
  }

  add(from: number, to: number): void {
    if (this.size === 0) {
      this.#from = new Float64Array(this.#most);
      this.#to = new Float64Array(this.#most);
    }
    this.#from[this.size] = from;
    this.#to[this.size] = to;
    this.size += 1;
  }

  starts(): Float64Array {
    return ascending(this.#filled(this.#from));
  }

  ends(): Float64Array {
    return ascending(this.#filled(this.#to));
  }

  #filled(times: Float64Array): Float64Array {
    return this.size === times.length ? times : times.slice(0, this.size);
  }
}

const NONE = new Float64Array(0);

/**
 * A lower bound on the requests counted at or after `start` and before `end`.
 *
 * @param until requests given back by then (µs) do not count any more
 */
export function atLeast(counts: Counts, start: number, end: number, until = end): number {
  return Math.max(
    0,
    below(counts.certainTo, end) - below(counts.certainFrom, start) - mostReturned(counts, start, until),
  );
}

/** An upper bound on the requests counted at or after `start` and up to `end` that still count at `now` or later. */
export function atMost(counts: Counts, start: number, end: number, now: number): number {
  const { transientFrom, transientTo, eitherFrom, eitherTo } = counts;
  const transient = upTo(transientFrom, end) - below(transientTo, Math.max(start, now));
  // A request counts once, whichever way it counts.
  const twice = upTo(eitherFrom, end) - below(eitherTo, Math.max(start, now - REFUND_DELAY));
  const begun = upTo(counts.possibleFrom, end) + Math.max(0, transient) - Math.max(0, twice);
  return begun - takenOff(counts, begun, start, now, below(counts.possibleTo, start));
}

/**
 * How many of some requests may be under way together with another one. @param from, to when they begin and end, each
 * ascending
 */
export function underWay(from: Float64Array, to: Float64Array, event: Pick<Event, 'from' | 'to'>): number {
  return upTo(from, event.to) - below(to, event.from);
}

/** An upper bound on the requests given back at or after `start` and before `end`. */
export function mostReturned({ returnableFrom, returnableTo }: Counts, start: number, end: number): number {
  return returnableFrom.length === 0 ? 0 : Math.max(0, below(returnableFrom, end) - below(returnableTo, start));
}

/**
 * The number to subtract from the requests that had begun by `now`, to get an upper bound on those counted since
 * `start`: the ones before `start`, and those given back. Nothing can be given back while nothing is counted, so after
 * each return at least zero are counted.
 *
 * @param before how many of those that had begun had certainly ended before `start`
 */
export function takenOff(counts: Counts, begun: number, start: number, now: number, before: number): number {
  const { returnedFrom, returnedTo, possibleTo } = counts;
  if (returnedFrom.length === 0) return Math.min(begun, before);
  const last = below(returnedTo, now);
  let most = before + Math.max(0, last - below(returnedFrom, start));
  for (let at = below(returnedTo, start); at < last; at++) {
    const since = below(possibleTo, Math.max(start, returnedFrom[at] ?? start));
    most = Math.min(most, since + last - 1 - at);
  }
  return Math.min(begun, most);
}
