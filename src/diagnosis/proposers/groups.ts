import type { Event } from '../../oracle/history.ts';

/** The requests of one budget, those together that came without a longer pause (µs) than this. */
export function groupsOf(events: readonly Event[], pause: number): readonly (readonly Event[])[] {
  const groups: Event[][] = [];
  let ended = Number.NEGATIVE_INFINITY;
  for (const event of events) {
    if (event.from > ended + pause) groups.push([]);
    groups.at(-1)?.push(event);
    ended = Math.max(ended, event.to);
  }
  return groups;
}
