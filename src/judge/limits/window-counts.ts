import { byMarker } from '../../diagnosis/world.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { describe } from './proofs.ts';

/** Requests, and the sentences that say what they show. */
export interface Shown {
  readonly events: readonly Event[];
  readonly argument: readonly string[];
}

/**
 * More accepted requests than the limit with one marker, sent within a minute: the first, the last, and their number.
 */
export function findOvershoot({ events, limit }: History): {
  readonly opened: Event;
  readonly last: Event;
  readonly accepted: number;
} | null {
  const windows = Map.groupBy(
    events.filter(({ outcome, reset }) => outcome === 'accepted' && reset !== null),
    ({ reset }) => reset,
  );
  for (const window of windows.values()) {
    const [opened] = window;
    const last = window.at(-1);
    if (!opened || !last || window.length <= limit || last.from - opened.to > WINDOW) continue;
    return { opened, last, accepted: window.length };
  }
  return null;
}

/** A window with more accepted requests than the limit. */
export function overshoot(history: History): Shown | null {
  const found = findOvershoot(history);
  if (!found) return null;
  const [opened, last] = [found.opened.exchange, found.last.exchange];
  return {
    events: [found.opened, found.last],
    argument: [
      describe(opened),
      describe(last),
      `${acceptedWith(found.opened, found.last, found.accepted)} The limit is ${history.limit}.`,
    ],
  };
}

/** A window with fewer accepted requests than the limit, and a refusal in it. */
export function refusedEarly({ events, limit }: History): Shown | null {
  for (const window of byMarker(events).values()) {
    const refusal = window.find(({ outcome }) => outcome === 'refused');
    const own = window.filter(({ outcome }) => outcome !== 'refused');
    const [opened] = own;
    const last = own.at(-1);
    // Failed requests may have been counted, too, and are not told apart here.
    if (!refusal || !opened || !last || own.length >= limit || own.some(({ outcome }) => outcome !== 'accepted'))
      continue;
    return {
      events: [opened, last, refusal],
      argument: [
        describe(opened.exchange),
        describe(last.exchange),
        describe(refusal.exchange),
        `${acceptedWith(opened, last, own.length)} The limit is ${limit}, and #${refusal.exchange.seq} was refused.`,
      ],
    };
  }
  return null;
}

function acceptedWith({ exchange: opened }: Event, { exchange: last }: Event, accepted: number): string {
  return `From #${opened.seq} to #${last.seq}, ${accepted} requests were accepted whose marker is ${opened.headers.reset[0]}: one window.`;
}
