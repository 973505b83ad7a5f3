import { ascending, below, numbersOf, upTo } from './ascending.ts';
import type { Event, History } from './history.ts';

/** Two answers that no mechanism gives, because only counted requests reduce a budget. */
export interface Deficit {
  /** Completed before `later` was sent. */
  readonly earlier: Event;
  readonly later: Event;
  /** The most other requests that can have been counted between the two. */
  readonly between: number;
}

/** The number of earlier answers that each request is compared with. More would show the same. */
const LOOK_BACK = 64;

/**
 * Requests that got less than earlier answers had left for them: refused although at most m < ρ others came between, or
 * accepted with less than ρ − 1 − m left. This holds under every window mechanism.
 */
export function findDeficits(history: History, most = 16): readonly Deficit[] {
  const { events } = history;
  const found: Deficit[] = [];
  const starts = numbersOf(events, ({ from }) => from);
  const ends = ascending(numbersOf(events, ({ to }) => to));
  let done: Event[] = [];
  let refused: Event | null = null;
  for (const later of events) {
    if (found.length >= most) break;
    if (later.outcome === 'accepted' || later.outcome === 'refused') {
      if (refused && refused.to < later.from) {
        // Once the budget has been spent, earlier values of Remaining show nothing more.
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

/** Whether the later answer has less than the earlier one left for it, with this many requests between. */
function falls(earlier: Event, later: Event, between: number): boolean {
  const had = earlier.remaining ?? 0;
  if (later.outcome === 'refused') return had > 0 && between < had;
  return later.remaining !== null && later.remaining < had - 1 - between;
}

/**
 * A refusal that came too early under any mechanism. Of the refusals after `earlier`, the first one decided had only
 * accepted requests before it, and fewer of them than `earlier` had left. This is stricter in bursts than
 * `findDeficits`, because refused requests need not be assumed to count.
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

/**
 * The requests that were refused although some were left: their own answers say so, or an accepted request before had
 * left more than can have been counted since. Requests that are refused are not counted, or the first of them need not
 * have been.
 */
export function refusedWithSomeLeft({ events }: History): ReadonlySet<Event> {
  const counted = events.filter(({ outcome }) => outcome !== 'refused');
  const starts = numbersOf(counted, ({ from }) => from);
  const ends = ascending(numbersOf(counted, ({ to }) => to));
  const told = counted
    .filter(({ outcome, remaining }) => outcome === 'accepted' && remaining !== null)
    .sort((one, other) => one.to - other.to);
  const answered = numbersOf(told, ({ to }) => to);
  const hasSomeLeft = ({ from, to, remaining }: Event): boolean => {
    if ((remaining ?? 0) > 0) return true;
    const last = below(answered, from);
    return told
      .slice(Math.max(0, last - LOOK_BACK), last)
      .some((earlier) => upTo(starts, to) - below(ends, earlier.from) - 1 < (earlier.remaining ?? 0));
  };
  return new Set(events.filter((event) => event.outcome === 'refused' && hasSomeLeft(event)));
}

/** The number of later refusals among which the one that was answered first is found. */
const LOOK_AHEAD = 16;

/**
 * A refusal that says that some are left, and a later one that shows that this was wrong. The first alone proves
 * nothing: a limiter that reads Remaining when it answers includes what came back since the refusal. What was left then
 * is still left, except for what was counted since; and before the first later refusal, only accepted requests were.
 */
export function findUnspentRefusal(history: History): Deficit | null {
  const refusals = history.events.filter(({ outcome }) => outcome === 'refused');
  const unspent = refusals.filter(({ remaining }) => remaining !== null && remaining > 0);
  if (unspent.length === 0) return null;
  const others = history.events.filter(({ outcome }) => outcome !== 'refused');
  const starts = numbersOf(others, ({ from }) => from);
  const ends = ascending(numbersOf(others, ({ to }) => to));
  const sent = numbersOf(refusals, ({ from }) => from);
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
 * How often, one after the other, a request was refused although the answer before it said that some were left, and
 * fewer were counted since: from the first refusal on that itself says so. At least this often, others must have spent
 * the budget again.
 */
export function countUnspentRefusals({ events }: History): number {
  const decided = events.filter(({ outcome }) => outcome === 'refused' || outcome === 'accepted');
  const first = decided.find(({ outcome, remaining }) => outcome === 'refused' && (remaining ?? 0) > 0);
  if (!first) return 0;
  const inOrder = decided.filter(({ to }) => to >= first.to).sort((one, other) => one.to - other.to);
  const telling = inOrder.filter(({ remaining }) => (remaining ?? 0) > 0);
  const ends = numbersOf(telling, ({ to }) => to);
  const others = events.filter(({ outcome }) => outcome !== 'refused');
  const starts = numbersOf(others, ({ from }) => from);
  const ended = ascending(numbersOf(others, ({ to }) => to));
  let count = 0;
  let since = first.to;
  // Of refusals that overlap, the one that was answered first leaves the most room for further ones.
  for (const refusal of inOrder) {
    const known = telling[upTo(ends, refusal.from) - 1];
    if (refusal.outcome !== 'refused' || !known || known.to < since) continue;
    const between = upTo(starts, refusal.to) - below(ended, known.from) - (known.outcome === 'accepted' ? 1 : 0);
    const isNear = refusal.from - known.to < 55_000_000;
    if (!isNear || between >= (known.remaining ?? 0)) continue;
    count += 1;
    since = refusal.to;
  }
  return count;
}
