import type { Event, History } from './history.ts';
import { DRIFT } from './model.ts';

/** Resolution of timers, in µs. */
const GRAIN = 5_000;

/**
 * An answer of the limiter with a marker that can be judged. Failed requests are left out: they may not have been
 * counted, so their markers are placeholders.
 */
export interface Marked {
  readonly event: Event;
  readonly reset: number;
}

/** Two successive answers, the later of which has the earlier marker. */
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
 * The first two successive answers of a budget between which the marker went back by more than rounding, round trip and
 * drift explain; null if it never did. No mechanism and no use by others lets it go back (HDR-8), so this depends on no
 * model.
 */
export function findBackward({ events, unit }: History): Backward | null {
  const known = FOUND.get(events);
  if (known?.unit === unit) return known.backward;
  const backward = firstBackward(events, unit ?? 0);
  FOUND.set(events, { unit, backward });
  return backward;
}

/** Histories with the same events may have another unit. */
const FOUND = new WeakMap<readonly Event[], { readonly unit: number | null; readonly backward: Backward | null }>();

function firstBackward(events: readonly Event[], unit: number): Backward | null {
  const order = new MarkerOrder(unit);
  for (const event of events) {
    const found = order.take(event);
    if (found) return found;
  }
  return null;
}

/**
 * Compares the marker of each answer with those of the answers before its request was sent. Events come in order of
 * `from`.
 */
export class MarkerOrder {
  readonly #unit: number;
  /**
   * Answers that may have come after the next request was sent, and the earliest time at which one of them came (µs).
   */
  #open: Marked[] = [];
  #soonest = Number.POSITIVE_INFINITY;
  #latest: Marked | null = null;

  /** @param unit of the markers, in µs */
  constructor(unit: number) {
    this.#unit = unit;
  }

  /** The two answers between which the marker went back, if it did so with this one. */
  take(event: Event): Backward | null {
    const [later] = markedIn([event]);
    if (!later) return null;
    if (this.#soonest < event.from) this.#close(event.from);
    this.#open.push(later);
    this.#soonest = Math.min(this.#soonest, event.to);
    const earlier = this.#latest;
    if (!earlier) return null;
    const roundTrip = earlier.event.to - earlier.event.from;
    const slack = this.#unit + roundTrip + DRIFT * Math.max(0, event.to - earlier.event.from) + GRAIN;
    return later.reset + slack < earlier.reset ? { earlier, later } : null;
  }

  #close(now: number): void {
    const open: Marked[] = [];
    this.#soonest = Number.POSITIVE_INFINITY;
    for (const each of this.#open) {
      if (each.event.to >= now) {
        open.push(each);
        this.#soonest = Math.min(this.#soonest, each.event.to);
      } else if (!this.#latest || floorOf(each) > floorOf(this.#latest)) this.#latest = each;
    }
    this.#open = open;
  }
}

/** A lower bound on the true marker, as if it was made when the request was sent. */
function floorOf({ reset, event }: Marked): number {
  return reset - (event.to - event.from);
}
