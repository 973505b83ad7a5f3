import { below, upTo } from './ascending.ts';
import { atLeast, atMost, type Counts, mostReturned, takenOff } from './counts.ts';
import { type Event, REFUND_DELAY } from './history.ts';
import type { ModelInput, Span } from './model.ts';

/**
 * Where each event of a model's input lies in its counts. Cached, because a search needs it for every window that it
 * tries, and it does not depend on them.
 */
export interface Places {
  /** How many of `certainTo` are below the event's `from`. */
  readonly ended: Int32Array;
  /** How many of `possibleFrom` are at or below its `to`. */
  readonly begun: Int32Array;
  /** How many of the requests that count only temporarily may count while it is under way. */
  readonly transient: Int32Array;
  /** How many of `eitherFrom` are at or below its `to`. */
  readonly eitherBegun: Int32Array;
  /** How many of `eitherTo` had ended so long before its `from` that they count no longer while under way. */
  readonly eitherOver: Int32Array;
}

const FOUND = new WeakMap<Counts, { readonly events: readonly Event[]; readonly places: Places }>();

function placesOf({ counts, events, places }: ModelInput): Places {
  if (places) return places;
  const known = FOUND.get(counts);
  if (known?.events === events) return known.places;
  const found = findPlaces(counts, events);
  FOUND.set(counts, { events, places: found });
  return found;
}

/** Finds the places of events in their counts. */
export function findPlaces(counts: Counts, events: readonly Event[]): Places {
  const { certainTo, possibleFrom, transientFrom, transientTo, eitherFrom, eitherTo } = counts;
  const ended = new Int32Array(events.length);
  const begun = new Int32Array(events.length);
  const transient = new Int32Array(events.length);
  const eitherBegun = new Int32Array(events.length);
  const eitherOver = new Int32Array(events.length);
  let at = 0;
  let before = 0;
  for (const { from, to } of events) {
    while (before < certainTo.length && (certainTo[before] ?? 0) < from) before++;
    ended[at] = before;
    begun[at] = upTo(possibleFrom, to);
    if (transientFrom.length > 0) transient[at] = Math.max(0, upTo(transientFrom, to) - below(transientTo, from));
    if (eitherFrom.length > 0) {
      eitherBegun[at] = upTo(eitherFrom, to);
      eitherOver[at] = below(eitherTo, from - REFUND_DELAY);
    }
    at++;
  }
  return { ended, begun, transient, eitherBegun, eitherOver };
}

/**
 * How many requests were counted in each of some windows before a request was decided there, whatever the decision
 * times.
 */
export interface Totals {
  /** @param at index of the event in the input; without it the answer is the same, but takes longer */
  least(window: number, event: Event, at: number | undefined): number;
  most(window: number, event: Event, at: number | undefined): number;
}

/** The totals of windows of one input. */
export function totalsOf(spans: readonly Span[], input: ModelInput): Totals {
  const { counts } = input;
  const places = placesOf(input);
  /** Where the windows' starts lie in the counts, found when first needed; −1: not yet. */
  const sure = new Int32Array(spans.length).fill(-1);
  const open = new Int32Array(spans.length).fill(-1);
  const either = new Int32Array(spans.length).fill(-1);
  return {
    least(window, event, at) {
      const span = spans[window];
      if (!span) return 0;
      if (at === undefined || event.from < span.startLow) {
        return atLeast(counts, span.sureFrom, Math.max(event.from, span.startLow));
      }
      if (sure[window] === -1) sure[window] = below(counts.certainFrom, span.sureFrom);
      const returned = mostReturned(counts, span.sureFrom, event.to);
      return Math.max(0, (places.ended[at] ?? 0) - (sure[window] ?? 0) - returned);
    },
    most(window, event, at) {
      const span = spans[window];
      if (!span) return 0;
      if (at === undefined || event.from < span.startLow || event.to > span.endHigh) {
        const from = Math.max(event.from, span.startLow);
        return atMost(counts, span.startLow, Math.min(event.to, span.endHigh), from);
      }
      if (open[window] === -1) open[window] = below(counts.possibleTo, span.startLow);
      if (either[window] === -1) either[window] = below(counts.eitherTo, span.startLow);
      // As in `atMost`: a request counts once, whichever way it counts.
      const over = Math.max(either[window] ?? 0, places.eitherOver[at] ?? 0);
      const twice = Math.max(0, (places.eitherBegun[at] ?? 0) - over);
      const begun = (places.begun[at] ?? 0) + (places.transient[at] ?? 0) - twice;
      return begun - takenOff(counts, begun, span.startLow, event.from, open[window] ?? 0);
    },
  };
}
