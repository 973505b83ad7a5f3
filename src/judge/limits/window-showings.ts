import { lengthText } from '../../deployment/operator.ts';
import { byMarker, isDecided, timesOf } from '../../diagnosis/world.ts';
import { below, upTo } from '../../oracle/ascending.ts';
import { type Event, type History, likelyOffset, WINDOW } from '../../oracle/history.ts';
import { aloneIn } from '../../oracle/together.ts';
import { misplacedMarker, TICK } from './direct.ts';
import { MOST_COMPARED, markersDiffer } from './own-showings.ts';
import { describe } from './proofs.ts';
import { pairShows, type Shown } from './window-counts.ts';

/**
 * Two answers of successive windows whose markers are not a minute apart. They may be further apart by the time for
 * which the budget was idle, which is no longer than that between the two answers.
 */
export function markersApart({ events, unit }: History): Shown | null {
  const opened = [...byMarker(events).entries()].sort(([one], [other]) => one - other);
  for (const [index, [later, own]] of opened.entries()) {
    const [earlier, before] = opened[index - 1] ?? [];
    const apart = earlier === undefined ? WINDOW : later - earlier;
    const [event] = own;
    const last = apart < WINDOW ? before?.[0] : before?.at(-1);
    if (!event || !last || apart > 2 * WINDOW) continue;
    const idle = apart < WINDOW ? 0 : Math.max(0, event.to - last.from);
    if (Math.abs(apart - WINDOW) <= (unit ?? 0) + idle) continue;
    const [one, other] = [last.exchange.seq, event.exchange.seq];
    const due =
      apart < WINDOW
        ? 'windows of a minute end 60 s after each other, or later'
        : `#${other} was answered ${(idle / 1e6).toFixed(1)} s after #${one} was sent, so a window of a minute would end at most ${((WINDOW + idle) / 1e6).toFixed(1)} s later`;
    return {
      events: [last, event],
      argument: [
        describe(last.exchange),
        describe(event.exchange),
        `X-RateLimit-Reset of #${one} and that of #${other} are ${apart / 1e6} s apart: ${due}.`,
      ],
    };
  }
  return null;
}

/**
 * Whether markers of a budget are nearer than the shortest window that they are said to tell of (µs): they tell of
 * requests that leave one after the other, as those of a sliding log do, and show no windows.
 */
export function areNearer({ events, unit }: History, shortest: number): boolean {
  const markers = [...byMarker(events).keys()].sort((one, other) => one - other);
  return markers.some((later, at) => later - (markers[at - 1] ?? Number.NEGATIVE_INFINITY) < shortest - (unit ?? 0));
}

/**
 * Two successive answers, of which the later states another end before that of the earlier one has come. Markers that
 * are computed anew for each answer differ by less than a second in conforming deployments, too.
 */
export function endMoves(history: History): Shown | null {
  const any = (): boolean => true;
  return markersDiffer(history, any, any, Math.max(TICK, history.unit ?? 0));
}

/** A marker that cannot be the end of a one-minute window, by the target's own clock. */
export function misplaced(history: History): Shown | null {
  const { proof: found } = misplacedMarker(history) ?? {};
  const events = history.events.filter(({ exchange }) => found?.evidence.includes(exchange));
  const [event] = events;
  if (!found || !event) return null;
  const { seq, headers } = event.exchange;
  const date = headers.date[0] === undefined ? '' : `By its Date, ${headers.date[0]}, `;
  const own = found.received.replace(/^X-RateLimit-Reset/, `X-RateLimit-Reset of #${seq}`);
  return { events, argument: [...found.argument, `${date}${own}`] };
}

/**
 * Two answers between which Remaining only counts down, so that they are of one window, and whose markers differ: of all
 * such, those that differ most.
 */
export function endsOfOneWindow({ events, unit }: History): Shown | null {
  const told = aloneIn(events).filter(
    ({ outcome, remaining, reset }) => outcome === 'accepted' && remaining !== null && reset !== null,
  );
  const starts = told.map((_, at) => at).filter((at) => !isFewer(told[at], told[at - 1]));
  const pairs = starts.flatMap((start, index) => {
    const [earlier, ...others] = told.slice(start, starts[index + 1]);
    return earlier ? others.map((later) => ({ earlier, later, apart: (later.reset ?? 0) - (earlier.reset ?? 0) })) : [];
  });
  const [found] = pairs.sort((one, other) => Math.abs(other.apart) - Math.abs(one.apart));
  if (!found || Math.abs(found.apart) <= Math.max(TICK, unit ?? 0)) return null;
  const { earlier, later, apart } = found;
  const [one, other] = [earlier.exchange, later.exchange];
  const way = apart > 0 ? 'later' : 'earlier';
  return pairShows(
    earlier,
    later,
    `From #${one.seq} to #${other.seq}, what is left only becomes less, from ${earlier.remaining} to ${later.remaining}: one window, which has one end. But X-RateLimit-Reset of #${other.seq}, sent ${lengthText(later.from - earlier.from)} later, is ${lengthText(Math.abs(apart))} ${way} than that of #${one.seq}.`,
  );
}

function isFewer(event: Event | undefined, earlier: Event | undefined): boolean {
  return (event?.remaining ?? 0) < (earlier?.remaining ?? Number.NEGATIVE_INFINITY);
}

/**
 * An answer, and the next one after its marker has passed, which finds more requests counted than were sent since: that
 * was no end.
 */
export function notBackByMarker({ kind, events, unit, offset, shown }: History): Shown | null {
  const told = events.filter(isDecided);
  const precision = unit ?? 0;
  const decided = Float64Array.from(told, ({ from }) => from);
  const { sent, answered } = timesOf(events);
  for (const [marker, own] of byMarker(told)) {
    const next = told[upTo(decided, marker + precision - offset.low)];
    const last = own.findLast(({ to }) => next && to < next.from);
    if (!last || !next || (next.outcome === 'accepted' && next.remaining === null)) continue;
    const left = next.outcome === 'refused' ? 0 : (next.remaining ?? 0) + 1;
    const begun = marker - precision - offset.high;
    const since = upTo(sent, next.to) - below(answered, begun) - 1;
    if (shown - left <= since) continue;
    const [one, other] = [last.exchange, next.exchange];
    return pairShows(
      last,
      next,
      `#${other.seq} was sent after the X-RateLimit-Reset of #${one.seq}, ${one.headers.reset[0]}, had passed. At most ${since} other ${kind}s of the key can have been counted since then, and yet it found ${left} left of ${shown}: no window ended there.`,
    );
  }
  return null;
}

/**
 * An answer, and a later one that finds the whole budget before the end that the former states: of all such, the one
 * furthest from that end. Neither a window that lasts so long nor one that slides gives all of it back by then.
 */
export function wholeBeforeEnd(history: History): Shown | null {
  const { events, shown } = history;
  const told = events.filter(({ outcome, remaining, reset }) => {
    return (outcome === 'accepted' || outcome === 'refused') && remaining !== null && reset !== null;
  });
  const pairs = told.flatMap((later, at) => {
    if (later.outcome !== 'accepted' || later.remaining !== shown - 1) return [];
    let before = at - 1;
    while ((told[before]?.to ?? Number.NEGATIVE_INFINITY) >= later.from) before--;
    const earlier = told[before];
    return earlier ? [{ earlier, later }] : [];
  });
  return furthestBeforeEnd(history, pairs, (time) => ` was answered at least ${time} before that time, and`);
}

/**
 * Of answers and later ones that find the whole budget, those of which the later one lies furthest before the end that
 * the former states. Null if none lies before it.
 *
 * @param how says of the later answer when it was given, in words that follow its number
 */
export function furthestBeforeEnd(
  { unit, offset }: History,
  pairs: readonly { readonly earlier: Event; readonly later: Event }[],
  how: (time: string) => string,
): Shown | null {
  const early = pairs.flatMap(({ earlier, later }) => {
    const end = (earlier.reset ?? Number.NEGATIVE_INFINITY) - (unit ?? 0) - likelyOffset(offset);
    return end > later.to ? [{ earlier, later, before: end - later.to }] : [];
  });
  const [found] = early.sort((one, other) => other.before - one.before);
  if (!found) return null;
  const { earlier, later, before } = found;
  const [one, other] = [earlier, later].map(({ exchange }) => `#${exchange.seq}`);
  return pairShows(
    earlier,
    later,
    `${one} left ${earlier.remaining} in a window that lasts until its X-RateLimit-Reset, ${earlier.exchange.headers.reset[0]}. ${other}${how(lengthText(before))} found the whole budget.`,
  );
}

/** Two answers with the same marker that were sent more than a window apart. */
export function markerStays({ events }: History): Shown | null {
  for (const [marker, own] of byMarker(events)) {
    const [one] = own;
    const other = own.find(({ from }) => one && from - one.to > WINDOW);
    if (!one || !other) continue;
    const apart = ((other.from - one.to) / 1e6).toFixed(1);
    return {
      events: [one, other],
      argument: [
        describe(one.exchange),
        describe(other.exchange),
        `#${one.exchange.seq} and #${other.exchange.seq} have X-RateLimit-Reset ${one.exchange.headers.reset[0] ?? marker}, though ${apart} s passed between them: a window lasts 60 s.`,
      ],
    };
  }
  return null;
}

/**
 * Two answers between which some requests came back, but not all. No window returns only a part.
 *
 * @param isOneWindow of two answers with one marker
 */
export function partlyBack({ events, limit }: History, isOneWindow = false): Shown | null {
  const answered = events.filter(({ outcome, remaining }) => outcome === 'accepted' && remaining !== null);
  for (const [index, later] of answered.entries()) {
    for (const [at, earlier] of answered.slice(Math.max(0, index - MOST_COMPARED), index).entries()) {
      if (earlier.to >= later.from || later.from - earlier.to > WINDOW / 2) continue;
      if (isOneWindow && earlier.reset !== later.reset) continue;
      const start = Math.max(0, index - MOST_COMPARED) + at;
      const between = answered.slice(start + 1, index).filter(({ from, to }) => from > earlier.to && to < later.from);
      const back = (later.remaining ?? 0) - (earlier.remaining ?? 0) + between.length + 1;
      if (back < 2 || (later.remaining ?? 0) + index - start >= limit) continue;
      return pairShows(
        earlier,
        later,
        `#${later.exchange.seq} was sent ${((later.from - earlier.to) / 1e6).toFixed(1)} s after #${earlier.exchange.seq} had been answered. Until then, ${back} of the budget had come back, but not all: a window that ends gives it back whole.`,
      );
    }
  }
  return null;
}

/**
 * Two answers within a minute that each have the whole budget left but one, less than a minute after another request
 * was counted. No window of a minute returns all of it twice in that time.
 */
export function wholeTwice({ events, shown }: History): Shown | null {
  const accepted = events.filter(({ outcome, remaining }) => outcome === 'accepted' && remaining !== null);
  const returns = accepted.flatMap((later, at) => {
    const earlier = accepted[at - 1];
    if (later.remaining !== shown - 1 || !earlier || earlier.to >= later.from) return [];
    return later.to - earlier.from < WINDOW && (earlier.remaining ?? shown) < shown ? [{ earlier, later }] : [];
  });
  for (const [at, second] of returns.entries()) {
    const first = returns[at - 1];
    if (!first || second.later.to - first.earlier.from >= WINDOW || first.later.to >= second.later.from) continue;
    const shownEvents = [first.earlier, first.later, second.earlier, second.later];
    const rows = [...new Set(shownEvents)];
    const [counted, one, other] = [first.earlier, first.later, second.later].map(({ exchange }) => `#${exchange.seq}`);
    const apart = ((second.later.to - first.earlier.from) / 1e6).toFixed(1);
    return {
      events: rows,
      argument: [
        ...rows.map(({ exchange }) => describe(exchange)),
        `After ${counted}, ${one} found the whole budget, and so did ${other} after ${one}, all within ${apart} s: a window gives it back once a minute.`,
      ],
    };
  }
  return null;
}
