import type { Event } from './history.ts';

/** Something that was under way between two times (µs). */
interface UnderWay {
  readonly from: number;
  readonly to: number;
}

/**
 * Groups what was under way at the same time, directly or through others, or without a longer pause (µs) than this. The
 * input is in order of `from`.
 */
export function together<Part extends UnderWay>(parts: readonly Part[], pause = 0): readonly (readonly Part[])[] {
  const groups: Part[][] = [];
  let ended = Number.NEGATIVE_INFINITY;
  for (const part of parts) {
    if (part.from > ended + pause) groups.push([]);
    groups.at(-1)?.push(part);
    ended = Math.max(ended, part.to);
  }
  return groups;
}

/** The events that were under way by themselves, in order. */
export function aloneIn(events: readonly Event[]): readonly Event[] {
  const known = ALONE.get(events);
  if (known) return known;
  const alone = together(events).flatMap(([event, ...more]) => (event && more.length === 0 ? [event] : []));
  ALONE.set(events, alone);
  return alone;
}

const ALONE = new WeakMap<readonly Event[], readonly Event[]>();
