import type { Event, History } from './history.ts';
import { DRIFT } from './model.ts';

/** Timer granularity, in µs. */
const GRAIN = 5_000;

/** An answer of the limiter with a marker that can be judged. A failed request may not have been counted: its marker is notional. */
export interface Marked {
  readonly event: Event;
  readonly reset: number;
}

/** Two answers, one after the other, of which the later has the earlier marker. */
export interface Backward {
  readonly earlier: Marked;
  readonly later: Marked;
}

export function markedIn(events: readonly Event[]): readonly Marked[] {
  return events.flatMap((event) =>
    event.reset !== null && (event.outcome === 'accepted' || event.outcome === 'refused')
      ? [{ event, reset: event.reset }]
      : [],
  );
}

/**
 * The first two answers of a budget, one after the other, between which the marker went back by more than rounding, round trip and drift make of
 * it; null where it never did. No mechanism lets it go back (HDR-8), nor does use by others, so that it depends on no model.
 */
export function findBackward({ events, unit }: History): Backward | null {
  const known = FOUND.get(events);
  if (known !== undefined) return known;
  const found = firstBackward(events, unit ?? 0);
  FOUND.set(events, found);
  return found;
}

/** By the events, which are made anew for another history. */
const FOUND = new WeakMap<readonly Event[], Backward | null>();

function firstBackward(events: readonly Event[], unit: number): Backward | null {
  const list = markedIn(events);
  const ended = [...list].sort((one, other) => one.event.to - other.event.to);
  const floor = ({ reset, event }: Marked) => reset - (event.to - event.from);
  let latest: Marked | null = null;
  let index = 0;
  for (const later of list) {
    for (; (ended[index]?.event.to ?? Number.POSITIVE_INFINITY) < later.event.from; index++) {
      const one = ended[index];
      if (one && (!latest || floor(one) > floor(latest))) latest = one;
    }
    if (!latest) continue;
    const roundTrip = latest.event.to - latest.event.from;
    const slack = unit + roundTrip + DRIFT * Math.max(0, later.event.to - latest.event.from) + GRAIN;
    if (later.reset + slack < latest.reset) return { earlier: latest, later };
  }
  return null;
}
