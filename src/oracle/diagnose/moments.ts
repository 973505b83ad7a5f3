import type { Event, History } from '../history.ts';

/** µs after it was sent in which a request without an answer is taken to be counted, if it is: diagnoses need no more. */
const LOST_LIFE = 5_000_000;

/** Longer histories are named by how they begin. */
const MOST_EVENTS = 20_000;

/** What a limiter did with a request; `maybe`: it may have been counted. */
export type Fate = 'accepted' | 'refused' | 'maybe';

/** A request of a budget as diagnoses see it: it was decided on in `[from, to]`, in µs of the run's clock. */
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
