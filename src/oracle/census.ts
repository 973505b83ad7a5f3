import { type Event, REFUND_DELAY } from './history.ts';

/**
 * How many requests were counted by a time, as two bounds, however the decisions fell within `[from, to]`. Every
 * mechanism asks only for numbers of starts and ends before a time, so that each question is a search in a sorted array.
 */
export interface Census {
  /** Starts and ends (µs, ascending) of what was certainly counted. */
  readonly certainFrom: Float64Array;
  readonly certainTo: Float64Array;
  /** Starts and ends of what may have been counted (including what certainly was). */
  readonly possibleFrom: Float64Array;
  readonly possibleTo: Float64Array;
  /** For the i-th of `possibleFrom`: the latest end among the first i + 1. */
  readonly latestTo: Float64Array;
  /** Starts and ends of what weighs only while it is under way: failed requests that are not counted or given back. */
  readonly passingFrom: Float64Array;
  readonly passingTo: Float64Array;
  /** Starts and ends of refusals. */
  readonly refusedFrom: Float64Array;
  readonly refusedTo: Float64Array;
}

/** Which of a deployment's choices the census follows. */
export interface Counting {
  /** Groups of failed requests that count; all others do not, or are given back at the end. */
  readonly failedCounted: ReadonlySet<string>;
  /** Groups that are left undecided: they may be counted one by one. */
  readonly undecided: ReadonlySet<string>;
  /** Whether refused requests are counted (a matter of sliding mechanisms alone). */
  readonly refusedCounted: boolean;
}

/** `certain`: counted; `possible`: may be; `passing`: while it is under way; `none`: is not. */
export function countedAs(event: Event, counting: Counting): 'certain' | 'possible' | 'passing' | 'none' {
  if (event.outcome === 'accepted' || event.outcome === 'foreign') return 'certain';
  if (event.outcome === 'refused') return counting.refusedCounted ? 'certain' : 'none';
  if (event.outcome === 'unclear' || counting.undecided.has(event.group)) return 'possible';
  return counting.failedCounted.has(event.group) ? 'certain' : 'passing';
}

export function takeCensus(events: readonly Event[], counting: Counting): Census {
  const certain = events.filter((event) => countedAs(event, counting) === 'certain');
  const possible = events.filter((event) => ['certain', 'possible'].includes(countedAs(event, counting)));
  const passing = events.filter((event) => countedAs(event, counting) === 'passing');
  const refused = events.filter((event) => event.outcome === 'refused');
  const latestTo = new Float64Array(possible.length);
  let latest = Number.NEGATIVE_INFINITY;
  for (const [index, event] of possible.entries()) {
    latest = Math.max(latest, event.to);
    latestTo[index] = latest;
  }
  const starts = (list: readonly Event[]) => Float64Array.from(list, (event) => event.from).sort();
  return {
    certainFrom: starts(certain),
    certainTo: Float64Array.from(certain, (event) => event.to).sort(),
    possibleFrom: starts(possible),
    possibleTo: Float64Array.from(possible, (event) => event.to).sort(),
    latestTo,
    passingFrom: starts(passing),
    passingTo: Float64Array.from(passing, (event) => event.to + REFUND_DELAY).sort(),
    refusedFrom: starts(refused),
    refusedTo: Float64Array.from(refused, (event) => event.to).sort(),
  };
}

/** How many entries of an ascending array lie below `time`. */
export function below(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many entries of an ascending array lie at or below `time`. */
export function upTo(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The least number of requests certainly counted both at or after `start` and before `end`. */
export function atLeast(census: Census, start: number, end: number): number {
  return Math.max(0, below(census.certainTo, end) - below(census.certainFrom, start));
}

/**
 * The greatest number of requests that can have been counted at or after `start` and up to `end`, and still weigh at
 * `now` or later.
 */
export function atMost(census: Census, start: number, end: number, now: number): number {
  const passing = upTo(census.passingFrom, end) - below(census.passingTo, Math.max(start, now));
  return Math.max(0, upTo(census.possibleFrom, end) - below(census.possibleTo, start) + Math.max(0, passing));
}
