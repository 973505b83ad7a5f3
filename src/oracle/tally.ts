import { atLeast, atMost, below, type Census, leastReturned, mostReturned, upTo } from './census.ts';
import type { Event } from './history.ts';
import type { Scene, Span } from './model.ts';

/**
 * Where each event of a scene lies in its census. A search for a mechanism asks for it again with every window that it
 * tries, and it depends on none of them.
 */
export interface Places {
  /** How many of `certainTo` lie below the event's `from`. */
  readonly ended: Int32Array;
  /** How many of `possibleFrom` lie at or below its `to`. */
  readonly begun: Int32Array;
  /** How many of those that weigh in passing may do so while it is under way. */
  readonly passing: Int32Array;
}

const FOUND = new WeakMap<Census, { readonly events: readonly Event[]; readonly places: Places }>();

function placesOf({ census, events, places }: Scene): Places {
  if (places) return places;
  const known = FOUND.get(census);
  if (known?.events === events) return known.places;
  const found = findPlaces(census, events);
  FOUND.set(census, { events, places: found });
  return found;
}

/** Finds the places of events in a census of them. */
export function findPlaces(census: Census, events: readonly Event[]): Places {
  const { certainTo, possibleFrom, passingFrom, passingTo } = census;
  const ended = new Int32Array(events.length);
  const begun = new Int32Array(events.length);
  const passing = new Int32Array(events.length);
  let at = 0;
  let before = 0;
  for (const { from, to } of events) {
    while (before < certainTo.length && (certainTo[before] ?? 0) < from) before++;
    ended[at] = before;
    begun[at] = upTo(possibleFrom, to);
    if (passingFrom.length > 0) passing[at] = Math.max(0, upTo(passingFrom, to) - below(passingTo, from));
    at++;
  }
  return { ended, begun, passing };
}

/** How many requests were counted in each of some windows before a request was decided there, however the decisions fell. */
export interface Tally {
  /** @param at index of the event among those of the scene; without it the answer is the same, and takes longer */
  least(window: number, event: Event, at: number | undefined): number;
  most(window: number, event: Event, at: number | undefined): number;
}

/** The tally of windows of one scene. */
export function tallyOf(spans: readonly Span[], scene: Scene): Tally {
  const { census } = scene;
  const places = placesOf(scene);
  /** Where the windows' starts lie in the census, each once it is asked for; −1: not yet. */
  const sure = new Int32Array(spans.length).fill(-1);
  const open = new Int32Array(spans.length).fill(-1);
  return {
    least(window, event, at) {
      const span = spans[window];
      if (!span) return 0;
      if (at === undefined || event.from < span.startLow) {
        return atLeast(census, span.sureFrom, Math.max(event.from, span.startLow));
      }
      if (sure[window] === -1) sure[window] = below(census.certainFrom, span.sureFrom);
      const returned = mostReturned(census, span.sureFrom, event.from);
      return Math.max(0, (places.ended[at] ?? 0) - (sure[window] ?? 0) - returned);
    },
    most(window, event, at) {
      const span = spans[window];
      if (!span) return 0;
      if (at === undefined || event.from < span.startLow || event.to > span.endHigh) {
        const from = Math.max(event.from, span.startLow);
        return atMost(census, span.startLow, Math.min(event.to, span.endHigh), from);
      }
      if (open[window] === -1) open[window] = below(census.possibleTo, span.startLow);
      const returned = leastReturned(census, span.startLow, event.from);
      return Math.max(0, (places.begun[at] ?? 0) - (open[window] ?? 0) + (places.passing[at] ?? 0) - returned);
    },
  };
}
