import { type Event, type History, likelyOffset, WINDOW } from '../../oracle/history.ts';
import { aloneIn, together } from '../../oracle/together.ts';
import { TICK } from './direct.ts';
import { before, describe } from './proofs.ts';
import { pairShows, type Shown } from './window-counts.ts';

/** A refusal whose own answer says that some are left, the one with the most, and the last answer before it. */
export function refusedWithSomeLeft(history: History): Shown | null {
  const refused = history.events.filter(({ outcome, remaining }) => outcome === 'refused' && (remaining ?? 0) > 0);
  const most = refused.reduce<Event | null>(
    (one, other) => (one && (one.remaining ?? 0) >= (other.remaining ?? 0) ? one : other),
    null,
  );
  if (!most) return null;
  const earlier = before(history, most, ({ outcome, remaining }) => outcome === 'accepted' && remaining !== null);
  return {
    events: [...(earlier ? [earlier] : []), most],
    argument: [
      ...(earlier ? [describe(earlier.exchange)] : []),
      describe(most.exchange),
      `#${most.exchange.seq} was refused, and its own answer says that ${most.remaining} requests are left.`,
    ],
  };
}

/** A refusal, and the next request that was accepted in the same window, as their markers show. */
export function refusedBeforeMore({ events }: History): Shown | null {
  for (const refused of events.filter(({ outcome, reset }) => outcome === 'refused' && reset !== null)) {
    const later = events.find(
      ({ outcome, reset, from }) => outcome === 'accepted' && reset === refused.reset && from > refused.to,
    );
    if (!later) continue;
    const [one, other] = [refused.exchange, later.exchange];
    return {
      events: [refused, later],
      argument: [
        describe(one),
        describe(other),
        `#${one.seq} was refused. #${other.seq}, sent after its answer, was accepted in the same window: both have X-RateLimit-Reset ${one.headers.reset[0]}.`,
      ],
    };
  }
  return null;
}

/**
 * An accepted request with nothing else under way, the one before it in the same window, and how many fewer it left.
 */
interface Lone {
  readonly earlier: Event;
  readonly later: Event;
  readonly cost: number;
}

function loneIn({ events }: History): readonly Lone[] {
  return events.flatMap((later, at) => {
    const earlier = events[at - 1];
    const next = events[at + 1];
    const isAlone = earlier && earlier.to < later.from && (next?.from ?? Number.POSITIVE_INFINITY) > later.to;
    const tells = (each?: Event): boolean => each?.outcome === 'accepted' && each.remaining !== null;
    const isAlike = earlier?.reset === later.reset && tells(earlier) && tells(later);
    return isAlone && isAlike ? [{ earlier, later, cost: (earlier.remaining ?? 0) - (later.remaining ?? 0) }] : [];
  });
}

/**
 * A request of some class that cost so much, and not one, although no other was under way, nor beside the one before
 * it: of a crowd, it is not known which was counted last.
 */
export function costsOtherwise(history: History, isOfClass: (event: Event) => boolean, weight: number): Shown | null {
  const alone = new Set(aloneIn(history.events));
  const found = loneIn(history).find(
    ({ earlier, later, cost }) => cost === weight && isOfClass(later) && alone.has(earlier),
  );
  if (!found) return null;
  const { earlier, later, cost } = found;
  const left = cost === 0 ? 'as many are left as' : `${Math.abs(cost)} ${cost > 0 ? 'fewer' : 'more'} are left than`;
  return pairShows(
    earlier,
    later,
    `No other ${history.kind} of the key was sent between #${earlier.exchange.seq} and the answer to #${later.exchange.seq}, and yet ${left} before.`,
  );
}

/** An answer that repeats an earlier one to the same URL, and one between them that left fewer. */
export function repeatsEarlier({ events }: History): Shown | null {
  const answered = events.filter(({ outcome, remaining }) => outcome === 'accepted' && remaining !== null);
  for (const [at, later] of answered.entries()) {
    const repeats = ({ exchange, remaining, reset, to }: Event): boolean =>
      exchange.target === later.exchange.target &&
      exchange.method === later.exchange.method &&
      remaining === later.remaining &&
      reset === later.reset &&
      to < later.from;
    const start = answered.slice(0, at).findLastIndex(repeats);
    const earlier = answered[start];
    const between = answered
      .slice(start + 1, at)
      .find(({ from, to, remaining }) => earlier && from > earlier.to && to < later.from && isLess(remaining, earlier));
    if (!earlier || !between) continue;
    const [one, other, again] = [earlier.exchange, between.exchange, later.exchange];
    return {
      events: [earlier, between, later],
      argument: [
        ...[one, other, again].map(describe),
        `#${again.seq} says what #${one.seq} said of the same URL, although #${other.seq} was counted between them and left fewer.`,
      ],
    };
  }
  return null;
}

function isLess(remaining: number | null, other: Event): boolean {
  return (remaining ?? 0) < (other.remaining ?? 0);
}

/** The slowest request that left two fewer than the one before it, although no other was under way. */
export function slowCostsTwo(history: History): Shown | null {
  const { kind } = history;
  const pairs = loneIn(history).filter(({ cost }) => cost === 2);
  const took = ({ later }: Lone): number => later.to - later.from;
  const [slowest] = pairs.toSorted((one, other) => took(other) - took(one));
  if (!slowest) return null;
  const { earlier, later } = slowest;
  return pairShows(
    earlier,
    later,
    `#${later.exchange.seq} took ${Math.round(took(slowest) / 1000)} ms. No other ${kind} of the key was sent between #${earlier.exchange.seq} and its answer, and yet two fewer are left.`,
  );
}

/** An accepted request, and the next one that was counted in an earlier window, as their markers show. */
export function markerGoesBack({ events, unit }: History): Shown | null {
  const accepted = events.filter(({ outcome, reset }) => outcome === 'accepted' && reset !== null);
  for (const [at, later] of accepted.entries()) {
    const earlier = accepted
      .slice(0, at)
      .findLast(({ to, reset }) => to < later.from && (reset ?? 0) > (later.reset ?? 0) + (unit ?? 0));
    if (!earlier) continue;
    const [one, other] = [earlier.exchange, later.exchange];
    const after = Math.max(1, Math.round((later.from - earlier.to) / 1000));
    return pairShows(
      earlier,
      later,
      `#${one.seq} was counted in the window that ends at ${one.headers.reset[0]}. #${other.seq}, sent ${after} ms after its answer, was still counted in the one that ends at ${other.headers.reset[0]}.`,
    );
  }
  return null;
}

/**
 * An answer before the end of a window that the last other answer of the budget stated, and which states another end.
 *
 * @param isMeant whether an answer is one of those whose marker is wrong
 * @param isOther whether it is one of those that it is held against
 * @param most how far markers of one window may differ, in µs; left out: by their unit
 */
export function markersDiffer(
  { events, unit, offset }: History,
  isMeant: (event: Event) => boolean,
  isOther = (event: Event): boolean => !isMeant(event),
  most = unit ?? 0,
): Shown | null {
  const told = events.filter(({ reset }) => reset !== null);
  for (const later of told.filter(isMeant)) {
    const earlier = told.findLast((event) => event.to < later.from && isOther(event));
    const end = (earlier?.reset ?? Number.NEGATIVE_INFINITY) - likelyOffset(offset);
    if (!earlier || end < later.to + TICK || Math.abs((later.reset ?? 0) - (earlier.reset ?? 0)) <= most) continue;
    const [one, other] = [earlier.exchange, later.exchange];
    return pairShows(
      earlier,
      later,
      `X-RateLimit-Reset of #${one.seq} is ${one.headers.reset[0]}, but #${other.seq}, which was answered before that time, has ${other.headers.reset[0]}: a window has one end.`,
    );
  }
  return null;
}

/** An answer that has more left than the limit. */
export function moreThanLimit({ events, limit }: History): Shown | null {
  const event = events.find(({ remaining }) => (remaining ?? 0) > limit);
  if (!event) return null;
  const { exchange, remaining } = event;
  return {
    events: [event],
    argument: [
      describe(exchange),
      `#${exchange.seq} says that ${remaining} requests are left, and the limit is ${limit}.`,
    ],
  };
}

/** At most so many requests of a crowd are shown. */
const SHOWN = 3;

/** Answers to requests that were under way at the same time, each of which says that nothing else was counted. */
export function allFirst({ events, shown }: History): Shown | null {
  const tops = events.filter(({ outcome, remaining }) => outcome === 'accepted' && remaining === shown - 1);
  const crowd = together(tops).find(({ length }) => length > 1);
  if (!crowd) return null;
  const some = crowd.slice(0, SHOWN);
  const named = some.map(({ exchange }) => `#${exchange.seq}`);
  return {
    events: some,
    argument: [
      ...some.map(({ exchange }) => describe(exchange)),
      `${named.slice(0, -1).join(', ')} and ${named.at(-1)} were under way at the same time, and each says that ${shown - 1} are left: of several requests, only one can be the first of a window.`,
    ],
  };
}

/** Two requests with different keys, of which the later left one fewer than the earlier, as if both had one count. */
export function countedTogether(histories: readonly History[], isShared: (event: Event) => boolean): Shown | null {
  const told = histories
    .flatMap(({ events }) => events)
    .filter((event) => isShared(event) && event.outcome === 'accepted' && event.remaining !== null)
    .toSorted((one, other) => one.from - other.from);
  for (const [at, later] of told.entries()) {
    const isNext = ({ exchange, to, remaining }: Event): boolean =>
      exchange.key !== later.exchange.key &&
      to < later.from &&
      later.from - to < WINDOW / 2 &&
      remaining === (later.remaining ?? 0) + 1;
    const earlier = told.slice(Math.max(0, at - MOST_COMPARED), at).findLast(isNext);
    if (!earlier) continue;
    const [one, other] = [earlier.exchange, later.exchange];
    return pairShows(
      earlier,
      later,
      `#${other.seq} was sent with another key than #${one.seq}, and left one fewer: both were taken off one count.`,
    );
  }
  return null;
}

/** How many earlier answers each answer is compared with: about those of one burst. */
export const MOST_COMPARED = 64;
