import { below, upTo } from './counts.ts';
import type { Event, History } from './history.ts';

/** Two answers that no mechanism gives: a budget shrinks by nothing but what is counted. */
export interface Deficit {
  /** Completed before `later` was sent. */
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
  const starts = Float64Array.from(events, ({ from }) => from);
  const ends = Float64Array.from(events, ({ to }) => to).sort();
  let done: Event[] = [];
  let refused: Event | null = null;
  for (const later of events) {
    if (found.length >= most) break;
    if (later.outcome === 'accepted' || later.outcome === 'refused') {
      if (refused && refused.to < later.from) {
        // Once the budget has been spent, what was left before tells no more.
        const { from } = refused;
        done = done.filter(({ to }) => to >= from);
        refused = null;
      }
      const known = done.filter(({ to }) => to < later.from && later.from - to < 55_000_000).slice(-LOOK_BACK);
      for (const earlier of known) {
        const between = upTo(starts, later.to) - below(ends, earlier.from) - 2;
        if (!falls(earlier, later, between)) continue;
        found.push({ earlier, later, between });
        break;
      }
    }
    if (later.outcome === 'accepted' && later.remaining !== null) done.push(later);
    if (later.outcome === 'refused') refused ??= later;
    if (done.length > 4 * LOOK_BACK) done.splice(0, LOOK_BACK);
  }
  return found;
}

/** Whether the later has less than the earlier had left for it, with so many in between. */
function falls(earlier: Event, later: Event, between: number): boolean {
  const had = earlier.remaining ?? 0;
  if (later.outcome === 'refused') return had > 0 && between < had;
  return later.remaining !== null && later.remaining < had - 1 - between;
}

/**
 * A refusal that came too early whatever the mechanism: of the refusals after `earlier`, the first that was decided found
 * only accepted requests before it, and of these fewer than `earlier` had left. Sharper in bursts than `findDeficits`,
 * since refused requests need not be taken as counted.
 */
export function findEarlyRefusal(history: History): Deficit | null {
  const { events } = history;
  if (events.length > 5_000) return null;
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

/** How many refusals after a request are looked at for the one that was answered first. */
const LOOK_AHEAD = 16;

/**
 * A refusal that says that some are left, and a later one that shows that this was not so. The first alone proves nothing:
 * a limiter that reads Remaining when it answers tells what came back since it refused. What was left then is left still,
 * save for what has been counted; and between the reading and the first refusal after it, only accepted requests were.
 */
export function findUnspentRefusal(history: History): Deficit | null {
  const refusals = history.events.filter(({ outcome }) => outcome === 'refused');
  const unspent = refusals.filter(({ remaining }) => remaining !== null && remaining > 0);
  if (unspent.length === 0) return null;
  const others = history.events.filter(({ outcome }) => outcome !== 'refused');
  const starts = Float64Array.from(others, ({ from }) => from);
  const ends = Float64Array.from(others, ({ to }) => to).sort();
  const sent = Float64Array.from(refusals, ({ from }) => from);
  for (const earlier of unspent) {
    const next = upTo(sent, earlier.to);
    const after = refusals.slice(next, next + LOOK_AHEAD).filter(({ from }) => from - earlier.to < 55_000_000);
    const [first, ...rest] = after;
    if (!first) continue;
    const later = rest.reduce((one, other) => (other.to < one.to ? other : one), first);
    const between = upTo(starts, later.to) - below(ends, earlier.from);
    if (between < (earlier.remaining ?? 0)) return { earlier, later, between };
  }
  return null;
}

/**
 * How often, one after the other, a refusal says that some are left, and the next one that is sent after its answer finds the budget spent although
 * fewer were counted between: so often, at the least, others must have used it up again.
 */
export function countUnspentRefusals({ events }: History): number {
  const others = events.filter(({ outcome }) => outcome !== 'refused');
  const starts = Float64Array.from(others, ({ from }) => from);
  const ends = Float64Array.from(others, ({ to }) => to).sort();
  let count = 0;
  let unspent: Event | null = null;
  for (const event of events) {
    if (event.outcome !== 'refused') continue;
    if (unspent && event.from >= unspent.to) {
      const isNear = event.from - unspent.to < 55_000_000;
      const between = upTo(starts, event.to) - below(ends, unspent.from);
      if (isNear && between < (unspent.remaining ?? 0)) count += 1;
      unspent = null;
    }
    if ((event.remaining ?? 0) > 0) unspent ??= event;
  }
  return count;
}
