import type { Event, History } from './history.ts';

/** Two answers that no mechanism gives: a budget shrinks by nothing but what is counted (windows.md §2, I2). */
export interface Deficit {
  /** Accepted, and completed before `later` was sent. */
  readonly earlier: Event;
  readonly later: Event;
  /** At most so many other requests can have been counted between the two. */
  readonly between: number;
}

/** How many completed answers before a request are compared with it: more would only repeat the same. */
const LOOK_BACK = 64;

/**
 * Requests that got less than earlier answers had left for them: refused although at most m < ρ others came between, or
 * accepted with less than ρ − 1 − m left. Holds under every window mechanism, whichever it is.
 */
export function findDeficits(history: History, most = 16): readonly Deficit[] {
  const { events } = history;
  const found: Deficit[] = [];
  const done: Event[] = [];
  for (const [index, later] of events.entries()) {
    if (found.length >= most) break;
    const judged = later.outcome === 'accepted' || later.outcome === 'refused';
    if (judged) {
      const worst = done
        .filter((earlier) => earlier.to < later.from && later.from - earlier.to < 55_000_000)
        .slice(-LOOK_BACK)
        .map((earlier) => deficitOf(earlier, later, events, index))
        .find((deficit) => deficit !== null);
      if (worst) found.push(worst);
    }
    if (later.outcome === 'accepted' && later.remaining !== null) done.push(later);
    if (done.length > 4 * LOOK_BACK) done.splice(0, LOOK_BACK);
  }
  return found;
}

function deficitOf(earlier: Event, later: Event, events: readonly Event[], index: number): Deficit | null {
  const had = earlier.remaining ?? 0;
  if (had === 0) return null;
  const has = later.outcome === 'refused' ? -1 : later.remaining;
  if (has === null || has >= had - 1) return null;
  let between = 0;
  for (let at = 0; at < events.length; at++) {
    const other = events[at];
    if (!other || other.from > later.to) break;
    if (at !== index && other !== earlier && other.to >= earlier.from) between++;
  }
  const short = later.outcome === 'refused' ? between < had : has < had - 1 - between;
  return short ? { earlier, later, between } : null;
}

/**
 * A refusal that came too early whatever the mechanism: of the refusals after `earlier`, the first that was decided found
 * only accepted requests before it, and of these fewer than `earlier` had left. Sharper in bursts than `findDeficits`,
 * since refused requests need not be taken as counted.
 */
export function findEarlyRefusal(history: History): Deficit | null {
  const { events } = history;
  const refusals = events.filter(({ outcome }) => outcome === 'refused');
  for (const earlier of events) {
    if (earlier.outcome !== 'accepted' || !earlier.remaining) continue;
    const next = refusals.filter((refusal) => refusal.to >= earlier.from && refusal.from < earlier.to + 55_000_000);
    if (next.length === 0 || next.some(({ from }) => from <= earlier.to)) continue;
    const later = next.reduce((one, other) => (other.to < one.to ? other : one));
    let between = 0;
    for (const other of events) {
      if (other.from > later.to) break;
      if (other !== earlier && other.outcome !== 'refused' && other.to >= earlier.from) between++;
    }
    if (between < earlier.remaining) return { earlier, later, between };
  }
  return null;
}
