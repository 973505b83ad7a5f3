import { below, upTo } from '../../oracle/ascending.ts';
import type { Event, History } from '../../oracle/history.ts';
import { aloneIn } from '../../oracle/together.ts';
import { describe } from './proofs.ts';
import type { Shown } from './window-counts.ts';

/**
 * A request of some class, and the answers before and after it that say what it cost: two accepted requests of no such
 * class and of one window, and nothing else under way from the first to the last. Its own answer need not say anything.
 *
 * @param weight what it is said to cost
 */
export function costsBetween(
  { kind, events }: History,
  isOfClass: (event: Event) => boolean,
  weight: number,
): Shown | null {
  const alone = new Set(aloneIn(events));
  const tells = (event: Event | undefined): event is Event =>
    event?.outcome === 'accepted' && event.remaining !== null && alone.has(event) && !isOfClass(event);
  for (const [at, meant] of events.entries()) {
    const [earlier, later] = [events[at - 1], events[at + 1]];
    if (!isOfClass(meant) || !alone.has(meant) || !tells(earlier) || !tells(later)) continue;
    const fewer = (earlier.remaining ?? 0) - (later.remaining ?? 0);
    if (earlier.reset !== later.reset || fewer !== weight + 1) continue;
    const [one, own, other] = [earlier, meant, later].map(({ exchange }) => `#${exchange.seq}`);
    const many = fewer === 0 ? 'as many' : `${fewer} fewer`;
    return {
      events: [earlier, meant, later],
      argument: [
        ...[earlier, meant, later].map(({ exchange }) => describe(exchange)),
        `${own} is the only other ${kind} of the key from ${one} to ${other}, and ${other} left ${many}. ${other} itself takes one, so ${own} ${costText(weight)}.`,
      ],
    };
  }
  return null;
}

function costText(weight: number): string {
  if (weight < 0) return `gave back ${-weight}`;
  if (weight === 0) return 'was not counted';
  return weight === 1 ? 'was counted once' : `was counted ${weight} times`;
}

/**
 * A request of some class that was let through between two refusals of other requests which state the same end of a
 * window: the budget was spent, and it was not refused. The refusals are the nearest ones, as the longer the time
 * between them, the more could have come back.
 */
export function passesRefusals({ kind, events, limit }: History, isOfClass: (event: Event) => boolean): Shown | null {
  const refused = events.filter(
    (event) => event.outcome === 'refused' && event.remaining === 0 && event.reset !== null && !isOfClass(event),
  );
  const passing = events.filter((event) => event.outcome === 'accepted' && isOfClass(event));
  const ended = refused.toSorted((one, other) => one.to - other.to);
  const starts = Float64Array.from(refused, ({ from }) => from);
  const ends = Float64Array.from(ended, ({ to }) => to);
  const between = passing.flatMap((meant) => {
    const earlier = ended[below(ends, meant.from) - 1];
    const later = refused[upTo(starts, meant.to)];
    if (!earlier || later?.reset !== earlier.reset) return [];
    return [{ earlier, meant, later, apart: later.to - earlier.from }];
  });
  const [nearest] = between.sort((one, other) => one.apart - other.apart);
  if (!nearest) return null;
  const { earlier, meant, later } = nearest;
  const [one, own, other] = [earlier, meant, later].map(({ exchange }) => `#${exchange.seq}`);
  return {
    events: [earlier, meant, later],
    argument: [
      ...[earlier, meant, later].map(({ exchange }) => describe(exchange)),
      `${one} and ${other} were refused, and both have X-RateLimit-Reset ${earlier.exchange.headers.reset[0]}: all ${limit} ${kind}s of this window were spent. Between them, ${own} was accepted.`,
    ],
  };
}
