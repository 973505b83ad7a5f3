import type { Event, History } from '../history.ts';

/**
 * A request without an answer is assumed to be counted, if at all, within this many µs after it was sent. Names need no
 * more precision.
 */
const LOST_LIFE = 5_000_000;

/** Longer histories are named by their beginning. */
const MOST_EVENTS = 20_000;

/** The decision about a request; `maybe`: it may have been counted. */
export type Fate = 'accepted' | 'refused' | 'maybe';

/** A request of a budget, decided within `[from, to]`, in µs of the run's clock. */
export interface Moment {
  readonly event: Event;
  readonly from: number;
  readonly to: number;
  readonly fate: Fate;
}

/** The requests of a history in order of `from`. */
export function momentsOf({ events }: History): readonly Moment[] {
  return events.slice(0, MOST_EVENTS).map((event) => {
    const { from, to, outcome } = event;
    const fate = outcome === 'accepted' || outcome === 'refused' ? outcome : 'maybe';
    return { event, from, to: outcome === 'unclear' ? Math.min(to, from + LOST_LIFE) : to, fate };
  });
}
