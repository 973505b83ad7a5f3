import { type Event, type History, WINDOW } from '../oracle/history.ts';

/** The length of the part of a stretch of time, from and to in µs, in which something holds. */
export type LengthWithin = (from: number, to: number) => number;

/**
 * For how long answers show requests of others: up to each accepted request since the one before, but not what came
 * before a refusal or before the window of the later one.
 */
export function shownTime(history: History): LengthWithin {
  const known = KNOWN.get(history);
  if (known) return known;
  const stretches: { readonly from: number; readonly to: number }[] = [];
  let last: Event | null = null;
  for (const event of history.events) {
    if (event.outcome === 'refused') last = event;
    if (event.outcome !== 'accepted' || event.remaining === null) continue;
    if (last) stretches.push({ from: Math.max(last.from, opened(last, event, history)), to: event.to });
    last = event;
  }
  const within: LengthWithin = (from, to) =>
    stretches.reduce((sum, each) => sum + Math.max(0, Math.min(to, each.to) - Math.max(from, each.from)), 0);
  KNOWN.set(history, within);
  return within;
}

/** It is asked again for each price. */
const KNOWN = new WeakMap<History, LengthWithin>();

/** When the window of an event began at the earliest, if that of an earlier one had ended, as their markers tell. */
function opened(earlier: Event, { from, reset }: Event, { offset: { low, high } }: History): number {
  const hasEnded = earlier.reset !== null && earlier.reset - low < from;
  return hasEnded && reset !== null ? Math.min(from, reset - WINDOW - high) : from - WINDOW;
}
