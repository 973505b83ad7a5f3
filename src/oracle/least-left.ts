import { below, upTo } from './ascending.ts';
import type { Contradiction } from './check.ts';
import { type Counting, countedAs, givesBack } from './counting.ts';
import { type Counts, countsOf } from './counts.ts';
import type { Event, History } from './history.ts';
import { ANY_WINDOW } from './model.ts';
import type { Variant } from './variant.ts';

/** A share that decreases gradually is rounded by less than one, each time in its own way. */
const ROUNDING = 1;

/**
 * The first answer that leaves less than an earlier one, less all requests that may have been counted since; null if none
 * does. No mechanism allows this, because nothing but a request makes Remaining smaller.
 */
export function lacksSince(history: History, { mechanism, counting }: Variant): Contradiction | null {
  const { events, shown, shared = false, racing = false } = history;
  if (shared || racing || givesBack(events)) return null;
  const rounding = mechanism.startsWith('counter') ? ROUNDING : 0;
  const found = lackingIn(events, counting).find(({ by }) => by > rounding);
  if (!found) return null;
  const { event, by } = found;
  const high = shown - 1 - ((event.remaining ?? 0) + by - rounding);
  const allowed = { ...ANY_WINDOW, high };
  return { kind: 'remaining', event, allowed, lacking: allowed, span: null };
}

/** An answer, and how many requests are missing from what it leaves. */
interface Lacking {
  readonly event: Event;
  readonly by: number;
}

const FOUND = new WeakMap<Counts, readonly Lacking[]>();

function lackingIn(events: readonly Event[], counting: Counting): readonly Lacking[] {
  const counts = countsOf(events, counting);
  const known = FOUND.get(counts) ?? findLacking(events, counting, counts);
  FOUND.set(counts, known);
  return known;
}

/** An answer that tells what was left, with what must be subtracted to know what is left later. */
interface Told {
  readonly to: number;
  /** What it left, and the requests that were counted before it: less all those by a later time, so much is left then. */
  readonly left: number;
}

/** In order, up to the first that no rounding explains. */
function findLacking(events: readonly Event[], counting: Counting, counts: Counts): readonly Lacking[] {
  const lacking: Lacking[] = [];
  const begun = new WindowsBegun();
  let most = Number.NEGATIVE_INFINITY;
  /** Answers that may still be under way together with the next request, in order of `from`. */
  const recent: Told[] = [];
  for (const event of events) {
    const { from, to, remaining, outcome } = event;
    if (remaining === null || outcome === 'refused' || countedAs(event, counting) !== 'certain') continue;
    let kept = 0;
    for (const told of recent) {
      if (told.to >= from) recent[kept++] = told;
      else most = Math.max(most, told.left);
    }
    recent.length = kept;
    const underWay = upTo(counts.transientFrom, to) - below(counts.transientTo, from);
    const by = most - upTo(counts.possibleFrom, to) - Math.max(0, underWay) - remaining;
    if (by > 0) lacking.push({ event, by });
    // Whatever the rounding, this is more, so what comes later is not asked for.
    if (by > ROUNDING) break;
    // If its window began while it was under way, it may have been counted in the one before.
    const own = begun.includesAt(event) ? 1 : 0;
    recent.push({ to, left: remaining + below(counts.possibleTo, from) + own });
    begun.take(event);
  }
  return lacking;
}

/** The markers of windows, and when each had been told first. */
class WindowsBegun {
  readonly #toldAt = new Map<number, number>();

  /** Whether the window of this answer had certainly begun before its request was sent. */
  includesAt({ from, reset }: Event): boolean {
    return reset !== null && (this.#toldAt.get(reset) ?? Number.POSITIVE_INFINITY) < from;
  }

  take({ to, reset }: Event): void {
    if (reset === null) return;
    this.#toldAt.set(reset, Math.min(to, this.#toldAt.get(reset) ?? to));
  }
}
