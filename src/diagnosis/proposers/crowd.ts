import type { Deviation } from '../../deployment/operators.ts';
import { below, upTo } from '../../oracle/ascending.ts';
import { type Event, type History, likelyOffset } from '../../oracle/history.ts';
import { together } from '../../oracle/together.ts';
import { DEVIATION_BITS, NEVER_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { byWindow, changed, timesOf, unclear, type World, withEvents } from '../world.ts';
import { dropsOf, overwritten, racesOf } from './drops.ts';
import { type Lateness, LONGEST_LAG, LONGEST_SYNC, latenessOf } from './lateness.ts';
import { bitsOfUnseen, inAll, type Loss } from './losses.ts';
import { neverSeen } from './never-seen.ts';

/** Bits to state how long after its answer a request is missing from the count: one of 128 lengths. */
export const LAG_BITS = 7;

/** A pause of this many µs separates two groups of simultaneous requests. */
export const CALM = 1_000_000;

/** Requests that do not see each other only while they are under way, in µs. */
const AT_ONCE: Lateness = { lag: 0, most: 0, losses: [], catchesUp: true };

/**
 * Simultaneous or nearly simultaneous requests that do not see each other's count. Either all are counted in the end,
 * or some are lost, because one overwrites the count of another. Everything else conforms.
 */
export function* proposeCrowds(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const { window } = world;
  const overshoot = world.histories.reduce(
    (sum, each) => sum + bitsOfOvershoot(each, window) + bitsOfRestraint(each, window),
    0,
  );
  const dropped = [...dropsOf(world)];
  for (const late of latenessesOf(world)) {
    const { lag, most } = late;
    // In so long a time, requests that were never counted are late, too.
    const isLast = most > LONGEST_LAG;
    // Failed requests, if they are counted, are counted as late.
    const counted = new Set(world.histories.flatMap(({ events }) => besideOthersIn(events, most)));
    const crowded = new Set([...counted].filter(({ outcome }) => outcome === 'accepted'));
    if (crowded.size === 0) continue;
    const losses = world.histories.flatMap(({ events, unit }) =>
      crowdsIn(events, crowded).map((crowd) => lostIn(crowd, window, unit)),
    );
    const { lost } = inAll(losses);
    const deviations = [isLast && !late.catchesUp ? neverSeen(world, kind) : deviationOf(lag, kind)];
    const haste = lag === 0 ? 0 : world.histories.reduce((sum, each) => sum + bitsOfHaste(each, window, lag), 0);
    const bits = DEVIATION_BITS + haste + (lag === 0 ? 0 : LAG_BITS);
    const unseen = lag > 0 ? bitsOfUnseen(late.losses) : lost === 0 ? 0 : bitsOfUnseen(losses);
    const racing = (change: (event: Event) => Event): World =>
      changed(world, (history) => ({
        ...withEvents(history, (event) => {
          const late = counted.has(event) ? change(event) : event;
          return isByOldCount(event, history, window, most) ? untoldBy(late) : late;
        }),
        racing: true,
      }));
    yield {
      deviations,
      isLast,
      // Requests that were not seen at first were counted in the end, and let more through.
      bits: bits + Math.max(overshoot, unseen),
      world: racing((event) => ({ ...event, countedBy: event.to + most })),
    };
    // If none was missing from their Remaining while something was left, they were counted one by one.
    if (lost === 0 && [...crowded].some(({ remaining }) => remaining !== null)) continue;
    for (const { shapes, race } of racesOf(dropped, crowded)) {
      yield {
        deviations,
        isLast,
        // Lost requests let further ones through.
        bits: bits + Math.max(overshoot, lag > 0 ? unseen : 0, race),
        world: { ...racing((event) => overwritten(event, most)), shapes },
      };
    }
  }
}

/** How late requests may have been counted: shortest first. */
function latenessesOf({ histories, window }: World): readonly Lateness[] {
  const late = latenessOf(histories, window);
  const synced = latenessOf(histories, window, LONGEST_SYNC);
  return [AT_ONCE, ...(late ? [late] : []), ...(synced && synced.most > LONGEST_LAG ? [synced] : [])];
}

/**
 * Whether the window of a request had begun so short a time before that the count of the one before may have decided on
 * it.
 */
function isByOldCount({ from, reset }: Event, { offset }: History, window: number, lag: number): boolean {
  return lag > 0 && reset !== null && from <= reset - likelyOffset(offset) - window + lag;
}

/** What an old count said: a request that it refused may have been counted. */
function untoldBy(event: Event): Event {
  return event.outcome === 'refused' ? unclear(event) : { ...event, remaining: null };
}

export function deviationOf(lag: number, kind: SearchContext['kind']): Deviation {
  return lag === 0
    ? { operator: 'lost-updates', parameters: { kinds: [kind], gap: 0, when: 'always' } }
    : { operator: 'late-counting', parameters: { kinds: [kind], lag, answered: 'when decided' } };
}

/**
 * Accepted requests that were under way at the same time as another, or less than `lag` after or before it. Failed
 * requests may have been counted, too.
 */
export function crowdedIn(events: readonly Event[], lag: number): readonly Event[] {
  return besideOthersIn(events, lag).filter(({ outcome }) => outcome === 'accepted');
}

/** The same with the failed ones. */
function besideOthersIn(events: readonly Event[], lag: number): readonly Event[] {
  const counted = events.filter(({ outcome }) => outcome === 'accepted' || outcome === 'failed');
  let latest = Number.NEGATIVE_INFINITY;
  return counted.filter((event, index) => {
    const next = counted[index + 1];
    const isBeside = event.from <= latest + lag || (next !== undefined && next.from <= event.to + lag);
    latest = Math.max(latest, event.to);
    return isBeside;
  });
}

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
function bitsOfOvershoot({ events, limit, unit }: History, window: number): number {
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
 * Bits to state that no more than the limit were let through, each time requests that did not see each other met a
 * refusal: any number of those that were missing from Remaining might have been.
 */
function bitsOfRestraint({ events, limit, unit }: History, window: number): number {
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
function bitsOfHaste({ events, limit }: History, window: number, lag: number): number {
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
