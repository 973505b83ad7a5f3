import { byMarker } from '../../diagnosis/world.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { describe, seconds } from './proofs.ts';

/** Requests, and the sentences that say what they show. */
export interface Shown {
  readonly events: readonly Event[];
  readonly argument: readonly string[];
}

/** What two answers show together. */
export function pairShows(earlier: Event, later: Event, sentence: string): Shown {
  return { events: [earlier, later], argument: [describe(earlier.exchange), describe(later.exchange), sentence] };
}

/** Accepted requests of one window: the first, the last, the one that left the fewest, and their number. */
interface Accepted {
  readonly opened: Event;
  readonly last: Event;
  readonly least: Event;
  readonly accepted: number;
  /** What their headers state as its end: values that differ by one unit, where it is computed anew for each answer. */
  readonly markers: readonly string[];
}

/**
 * More accepted requests than the limit with the markers of one window, all sent and answered within a minute: in a
 * sliding window, requests with one marker that lie further apart need not be counted together.
 */
export function findOvershoot({ events, limit, unit }: History): Accepted | null {
  const accepted = events.filter(({ outcome }) => outcome === 'accepted');
  for (const window of byMarker(accepted, unit ?? 0).values()) {
    const own = acceptedOf(firstWithin(window, limit + 1));
    if (own) return own;
  }
  return null;
}

/** The first requests of which so many, or more, were sent and answered within a minute; none: nowhere are so many. */
function firstWithin(events: readonly Event[], count: number): readonly Event[] {
  let first = 0;
  let answered = Number.NEGATIVE_INFINITY;
  const isTooLong = (): boolean => answered - (events[first]?.from ?? answered) > WINDOW;
  for (const [at, { to }] of events.entries()) {
    answered = Math.max(answered, to);
    const before = first;
    while (isTooLong()) first += 1;
    if (first > before && at - before >= count) return events.slice(before, at);
  }
  return events.length - first >= count ? events.slice(first) : [];
}

function acceptedOf(window: readonly Event[]): Accepted | null {
  const [opened] = window;
  const last = window.at(-1);
  if (!opened || !last) return null;
  const markers = [...new Set(window.flatMap(({ exchange }) => exchange.headers.reset))].sort();
  const left = ({ remaining }: Event): number => remaining ?? Number.POSITIVE_INFINITY;
  const least = window.reduce((fewest, each) => (left(each) < left(fewest) ? each : fewest), last);
  return { opened, last, least, accepted: window.length, markers };
}

/** A window with more accepted requests than the limit. */
export function overshoot(history: History): Shown | null {
  const found = findOvershoot(history);
  if (!found) return null;
  const { opened, last, least } = found;
  // Requests under way together may be counted in another order than they were sent in.
  const events = [...new Set([opened, least, last])];
  const fewest = least === last ? '' : ` Of these, #${least.exchange.seq} left the fewest: ${least.remaining}.`;
  return {
    events,
    argument: [
      ...events.map(({ exchange }) => describe(exchange)),
      `${acceptedWith(found)}${fewest} The limit is ${history.limit}.`,
    ],
  };
}

/**
 * More accepted requests than the limit in the shortest time, where no markers tell windows apart. Alone it shows
 * nothing, because a window may end between them: the rest of the run has to show that none does.
 */
export function soonestOverLimit({ events, limit }: History): Shown | null {
  const accepted = events.filter(({ outcome }) => outcome === 'accepted');
  const spans = accepted.slice(limit).map((last, at) => ({ opened: accepted[at] ?? last, last }));
  const [found] = spans.sort((one, other) => timeOf(one) - timeOf(other));
  if (!found || timeOf(found) >= WINDOW) return null;
  const { opened, last } = found;
  const [from, to] = [opened, last].map(({ exchange }) => `#${exchange.seq}`);
  return {
    events: [opened, last],
    argument: [
      describe(opened.exchange),
      describe(last.exchange),
      `From ${from} to ${to}, ${limit + 1} requests were accepted within ${seconds(timeOf(found))}. The limit is ${limit}, and windows that end in between would not explain the rest of the run.`,
    ],
  };
}

function timeOf({ opened, last }: { readonly opened: Event; readonly last: Event }): number {
  return last.to - opened.from;
}

/**
 * A window with fewer accepted requests than the limit, and its first refusal: of all such windows, the one that refused
 * the soonest after its first request. A reader may doubt that a window still lasts when a minute is almost over.
 */
export function refusedEarly({ events, limit }: History): Shown | null {
  const early = [...byMarker(events).values()].flatMap((window) => {
    const refusal = window.find(({ outcome }) => outcome === 'refused');
    const own = window.filter(({ outcome }) => outcome !== 'refused');
    const accepted = acceptedOf(own);
    // Failed requests may have been counted, too, and are not told apart here.
    const isBelow = own.length < limit && own.every(({ outcome }) => outcome === 'accepted');
    return refusal && accepted && isBelow ? [{ refusal, accepted }] : [];
  });
  const after = ({ refusal, accepted }: (typeof early)[number]): number => refusal.to - accepted.opened.from;
  const [found] = early.toSorted((one, other) => after(one) - after(other));
  if (!found) return null;
  const { refusal, accepted } = found;
  const { opened, last, least } = accepted;
  // Requests under way together may be counted in another order than they were sent in.
  const rows = [opened, least, refusal].toSorted((one, other) => one.from - other.from);
  const fewest = least === last ? '' : ` Of these, #${least.exchange.seq} left the fewest: ${least.remaining}.`;
  return {
    events: rows,
    argument: [
      ...rows.map(({ exchange }) => describe(exchange)),
      `${acceptedWith(accepted)}${fewest} The limit is ${limit}, and #${refusal.exchange.seq} was refused.`,
    ],
  };
}

function acceptedWith({ opened, last, accepted, markers }: Accepted): string {
  const [from, to] = [opened, last].map(({ exchange }) => `#${exchange.seq}`);
  return `From ${from} to ${to}, ${accepted} requests were accepted whose X-RateLimit-Reset is ${markers.join(' or ')}: one window.`;
}
