import type { Event, History } from '../../oracle/history.ts';
import { together } from '../../oracle/together.ts';
import { before, describe } from './proofs.ts';
import type { Shown } from './window-counts.ts';

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
        `#${one.seq} was refused. #${other.seq}, sent after its answer, was accepted in the same window: both carry the marker ${one.headers.reset[0]}.`,
      ],
    };
  }
  return null;
}

/** The slowest request that left two fewer than the one before it, although no other was under way. */
export function slowCostsTwo({ events, kind }: History): Shown | null {
  const pairs = events.flatMap((later, at) => {
    const earlier = events[at - 1];
    const next = events[at + 1];
    const isAlone = earlier && earlier.to < later.from && (next?.from ?? Number.POSITIVE_INFINITY) > later.to;
    const isAlike = earlier?.reset === later.reset && [earlier, later].every((each) => each?.outcome === 'accepted');
    return isAlone && isAlike && (earlier.remaining ?? 0) - (later.remaining ?? 0) === 2 ? [{ earlier, later }] : [];
  });
  const took = ({ later }: { readonly later: Event }): number => later.to - later.from;
  const [slowest] = pairs.sort((one, other) => took(other) - took(one));
  if (!slowest) return null;
  const { earlier, later } = slowest;
  return {
    events: [earlier, later],
    argument: [
      describe(earlier.exchange),
      describe(later.exchange),
      `#${later.exchange.seq} took ${Math.round(took(slowest) / 1000)} ms. No other ${kind} of the key was sent between #${earlier.exchange.seq} and its answer, and yet two fewer are left.`,
    ],
  };
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
    return {
      events: [earlier, later],
      argument: [
        describe(one),
        describe(other),
        `#${one.seq} was counted in the window that ends at ${one.headers.reset[0]}. #${other.seq}, sent ${after} ms after its answer, was still counted in the one that ends at ${other.headers.reset[0]}.`,
      ],
    };
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
