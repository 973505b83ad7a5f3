import { findBackward } from '../../oracle/backward.ts';
import type { Event, History } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { byMarker, changed, isDecided, type World } from '../world.ts';
import { bitsOfLimit, highestLeft, NEVER, passed } from './limit.ts';

/** Bits to state for which windows another limit applies (1), and that it does not for all, which is less plain (3). */
export const WINDOWS_BITS = 4;

/**
 * Another limit for the first window of each budget, or for all other windows: as many as pass in those windows that
 * refuse, or the number from which Remaining counts down.
 */
export function* proposeWindowLimits(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const parts = new Map(world.histories.map((history) => [history, firstAndLater(history, world.window)]));
  for (const from of ['first window', 'later windows'] as const) {
    const meant = [...parts.values()].flatMap((each) => (each ? [from === 'first window' ? each[0] : each[1]] : []));
    const stated = world.histories[0]?.limit ?? 0;
    const whole = Math.max(stated, ...meant.map(highestLeft));
    const limits = new Set([...meant.flatMap(passedInWindows), whole]);
    for (const limit of limits) {
      if (limit < 1 || limit === stated) continue;
      for (const shown of new Set(limit === NEVER ? [stated, whole] : [stated, limit, whole])) {
        const other = (history: History): History => ({ ...history, limit, shown });
        yield {
          deviations: [
            {
              operator: 'other-limit',
              parameters: {
                kind,
                limit: limit === NEVER ? null : limit,
                limitHeader: stated,
                remainingFrom: shown,
                from,
              },
            },
          ],
          bits: DEVIATION_BITS + WINDOWS_BITS + bitsOfLimit(limit, stated),
          world: changed(world, (history) => {
            const [first, later] = parts.get(history) ?? [history, history];
            if (first === later) return history;
            return from === 'first window' ? [other(first), later] : [first, other(later)];
          }),
        };
      }
    }
  }
}

/**
 * The history up to the end of its first window, and the rest of it, as its markers show them; null if they show no
 * windows that follow one another.
 */
function firstAndLater(history: History, window: number): readonly [History, History] | null {
  const { events, unit } = history;
  const told = byMarker(events.filter(isDecided), unit ?? 0);
  const first = Math.min(...told.keys()) + (unit ?? 0);
  const time = (events.at(-1)?.to ?? 0) - (events[0]?.from ?? 0);
  if (told.size > time / window + 2 || findBackward(history)) return null;
  const next = events.find((event) => isDecided(event) && event.reset !== null && event.reset > first);
  const isFirst = (event: Event): boolean =>
    isDecided(event) && event.reset !== null ? event.reset <= first : !next || event.from < next.from;
  return [
    { ...history, events: events.filter(isFirst) },
    { ...history, events: events.filter((event) => !isFirst(event)) },
  ];
}

/**
 * How many passed in each window that refused any. If no such window let more than the limit pass, nothing is limited.
 */
function passedInWindows({ events, limit, unit }: History): readonly number[] {
  return [...byMarker(events, unit ?? 0).values()].flatMap((window) => {
    if (window.some(({ outcome }) => outcome === 'refused')) return passed(window);
    return window.filter(({ outcome }) => outcome === 'accepted').length > limit ? [NEVER] : [];
  });
}
