import { type Event, isAnothers } from './history.ts';

/** The deployment's choices that the counts follow. */
export interface Counting {
  /** Groups of failed requests that count. All others do not, or are refunded at the end. */
  readonly failedCounted: ReadonlySet<string>;
  /** Undecided groups: each of their requests may be counted. */
  readonly undecided: ReadonlySet<string>;
  /** Whether refused requests are counted (only in sliding mechanisms). */
  readonly refusedCounted: boolean;
  /** Treats undecided groups as anything possible, so that what is ruled out is so for every way to count them. */
  readonly loose?: boolean;
}

/** `certain`: counted; `possible`: may be counted; `transient`: counted while under way; `none`: not counted. */
export function countedAs(event: Event, counting: Counting): 'certain' | 'possible' | 'transient' | 'none' {
  if (event.outcome === 'accepted' || isAnothers(event.outcome)) return 'certain';
  if (event.outcome === 'refused') return counting.refusedCounted ? 'certain' : 'none';
  if (event.outcome === 'released') return 'transient';
  if (event.outcome === 'uncounted' || event.outcome === 'returned' || event.outcome === 'returnable') return 'none';
  const isOpen = event.outcome === 'unclear' || event.outcome === 'doubtful' || event.outcome === 'extra';
  if (isOpen || counting.undecided.has(event.group)) return 'possible';
  return counting.failedCounted.has(event.group) ? 'certain' : 'transient';
}

/** Whether a request gives one back under the hypothesis, or may do so. */
export function mayReturn({ outcome }: Event): boolean {
  return outcome === 'returned' || outcome === 'returnable';
}

/** Whether some request gives one back under the hypothesis, or may do so. */
export function givesBack(events: readonly Event[]): boolean {
  const known = GIVES_BACK.get(events) ?? events.some(mayReturn);
  GIVES_BACK.set(events, known);
  return known;
}

const GIVES_BACK = new WeakMap<readonly Event[], boolean>();
