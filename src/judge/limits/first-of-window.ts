import { SAME_MARKER } from '../../diagnosis/proposers/node-count.ts';
import type { Event, History } from '../../oracle/history.ts';
import { describe } from './proofs.ts';
import type { Shown } from './window-counts.ts';

/**
 * A request that is the first one of its window, as all markers before it show, and that leaves less than a whole
 * budget; with the answer before it.
 */
export function lessAtFirst({ events, shown, unit }: History): Shown | null {
  let before: Event | null = null;
  let latestMarker = Number.NEGATIVE_INFINITY;
  let latestEnd = Number.NEGATIVE_INFINITY;
  for (const [at, event] of events.entries()) {
    const { outcome, remaining, reset, from, to } = event;
    const isNew = reset !== null && reset > latestMarker + SAME_MARKER + (unit ?? 0) && from > latestEnd;
    const isAlone = (events[at + 1]?.from ?? Number.POSITIVE_INFINITY) > to;
    if (before && isNew && isAlone && outcome === 'accepted' && remaining !== null && remaining < shown - 1) {
      const { seq, headers } = event.exchange;
      return {
        events: [before, event],
        argument: [
          describe(before.exchange),
          describe(event.exchange),
          `#${seq} is the first request of its window: its X-RateLimit-Reset, ${headers.reset[0]}, is later than that of every answer before. It leaves ${remaining}, and not ${shown - 1}.`,
        ],
      };
    }
    if (reset !== null) before = event;
    latestMarker = Math.max(latestMarker, reset ?? latestMarker);
    latestEnd = Math.max(latestEnd, to);
  }
  return null;
}
