import { below, upTo } from '../../oracle/ascending.ts';
import type { Event, History } from '../../oracle/history.ts';
import { together } from '../../oracle/together.ts';
import { NEVER_BITS } from '../proposal.ts';
import { byWindow, timesOf } from '../world.ts';
import type { Loss } from './losses.ts';

/** A pause of this many µs separates two groups of simultaneous requests. */
export const CALM = 1_000_000;

/** Groups these requests of one budget: a longer pause (µs) begins a new group. */
export function crowdsIn(
  events: readonly Event[],
  which: ReadonlySet<Event>,
  pause = CALM,
): readonly (readonly Event[])[] {
  return together(
    events.filter((event) => which.has(event)),
    pause,
  );
}

/**
 * How many requests of a group are missing from the difference of Remaining before and after it, in one window, while
 * something was left.
 *
 * @param length of a window, in µs
 */
export function lostIn(crowd: readonly Event[], length: number, unit: number | null = null): Loss {
  const told = crowd.filter(({ remaining }) => remaining !== null && remaining > 0);
  const windows = told.some(({ reset }) => reset !== null) ? (byWindow(told, length, unit) ?? [told]) : [told];
  return { lost: windows.reduce((sum, window) => sum + missingIn(window), 0), of: told.length };
}

function missingIn(window: readonly Event[]): number {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const { remaining } of window) {
    least = Math.min(least, remaining ?? least);
    most = Math.max(most, remaining ?? most);
  }
  return Math.max(0, window.length - Math.max(0, most - least + 1));
}

/**
 * Bits to state how many were let through over the limit each time. If all requests under way were let through, no
 * number is needed; if others were refused, it is. If none was refused afterwards either, no limit at all is the
 * plainer explanation.
 */
export function bitsOfOvershoot({ events, limit, unit }: History, window: number): number {
  const refused = events.filter(({ outcome }) => outcome === 'refused');
  const accepted = events.filter(({ outcome }) => outcome === 'accepted');
  return overLimit(accepted, limit, window, unit).reduce((sum, over) => {
    const first = over.reduce((least, { to }) => Math.min(least, to), Number.POSITIVE_INFINITY);
    const last = over.reduce((most, { to }) => Math.max(most, to), Number.NEGATIVE_INFINITY);
    const among = refused.filter(({ from, to }) => from <= last && to >= first).length;
    const later = refused.some(({ from }) => from > last && from < first + window);
    return sum + (among > 0 ? Math.log2(1 + over.length + among) : later ? 0 : NEVER_BITS);
  }, 0);
}

/**
 * Bits to state, for each group of simultaneous requests of which some were let through over the limit and others were
 * refused, how many of the refused ones came before those.
 */
export function bitsOfOrder({ events, limit, unit }: History, window: number): number {
  const accepted = events.filter(({ outcome }) => outcome === 'accepted');
  const over = new Set(overLimit(accepted, limit, window, unit).flat());
  const mixed = together(events.filter((event) => event.outcome === 'refused' || over.has(event)));
  return mixed.reduce((sum, crowd) => {
    const through = crowd.filter((event) => over.has(event)).length;
    return through === 0 || through === crowd.length ? sum : sum + Math.log2(1 + crowd.length);
  }, 0);
}

/**
 * Bits to state that no more than the limit were let through, each time requests that did not see each other met a
 * refusal: any number of those that were missing from Remaining might have been.
 */
export function bitsOfRestraint({ events, limit, unit }: History, window: number): number {
  const told = events.some(({ reset }) => reset !== null) ? byWindow(events, window, unit) : null;
  return (told ?? []).reduce((sum, own) => {
    const acceptedIn = (events: readonly Event[]) => events.filter(({ outcome }) => outcome === 'accepted');
    if (acceptedIn(own).length > limit) return sum;
    const crossing = together(own).filter((crowd) => crowd.some(({ outcome }) => outcome === 'refused'));
    const unseen = crossing.map((crowd) => lostIn(acceptedIn(crowd), window, unit));
    return sum + unseen.reduce((bits, { lost }) => bits + Math.log2(1 + lost), 0);
  }, 0);
}

/**
 * Bits to state, each time something is refused, how many of the requests that it cannot have seen if all are counted
 * so late were counted sooner. Where only Remaining is late, this happens whenever a burst meets the limit.
 */
export function bitsOfHaste({ events, limit }: History, window: number, lag: number): number {
  const { sent, answered } = timesOf(events.filter(({ outcome }) => outcome !== 'refused'));
  const refused = together(
    events.filter(({ outcome }) => outcome === 'refused'),
    CALM,
  );
  return refused.reduce((sum, [first]) => {
    const seen = first ? upTo(answered, first.to - lag) - below(sent, first.from - window) : limit;
    return sum + Math.log2(1 + Math.max(0, limit - seen));
  }, 0);
}

/** The accepted requests that were over the limit, grouped by window or group of simultaneous requests. */
function overLimit(
  accepted: readonly Event[],
  limit: number,
  window: number,
  unit: number | null,
): readonly (readonly Event[])[] {
  const told = accepted.some(({ reset }) => reset !== null) ? byWindow(accepted, window, unit) : null;
  if (told) return told.map((own) => own.slice(limit)).filter(({ length }) => length > 0);
  const over = accepted.filter(
    ({ from }, at) => from - (accepted[at - limit]?.from ?? Number.NEGATIVE_INFINITY) < window,
  );
  return crowdsIn(accepted, new Set(over));
}
