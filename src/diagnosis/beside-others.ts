import { type Event, type History, WINDOW } from '../oracle/history.ts';
import { inOrder, unclear } from './world.ts';

/** So many requests of others that reached the budget of an event, each at any of these times (µs). */
export function requestsOfOthers(count: number, event: Event, from: number, to: number): readonly Event[] {
  const request: Event = { ...unclear(event), outcome: 'background', from, to };
  return Array.from({ length: count }, () => request);
}

/** A request by somebody else that opened the window whose end is the event's marker; null if no clock shows when. */
export function openerOf(event: Event, { offset, unit, events }: History): Event | null {
  const { reset } = event;
  if (reset === null || unit === null || !Number.isFinite(offset.low) || !Number.isFinite(offset.high)) return null;
  const from = reset - unit - WINDOW - offset.high;
  const to = Math.min(event.to, reset + unit - WINDOW - offset.low);
  // What opened an earlier window that had ended by then did not open this one.
  const isLongAgo = to < event.from - 2 * WINDOW;
  const known = events.some((other) => other.outcome === 'unclear' && other.from === from);
  return from > to || isLongAgo || known ? null : { ...unclear(event), from, to };
}

/**
 * The histories, reduced to what no use by others can explain. A window may have been opened by others, as its marker
 * shows.
 */
export function besideOthers(histories: readonly History[]): readonly History[] {
  return histories.map((history) => {
    const told = new Map(
      history.events.flatMap((event) => (event.reset === null ? [] : ([[event.reset, event]] as const))),
    );
    const openers = [...told.values()].flatMap((event) => openerOf(event, history) ?? []);
    return { ...history, shared: true, events: inOrder([...history.events, ...openers]) };
  });
}
