import { findBackward } from '../../oracle/backward.ts';
import type { Event, History } from '../../oracle/history.ts';
import { DEVIATION_BITS, MOMENT_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { byMarker, changed, inOrder, isDecided, limitTold, type World, withEvents } from '../world.ts';
import { chargedHere } from './charged.ts';
import { bitsOfLimit, highestLeft, NEVER, passed, TOLD_BITS } from './limit.ts';

/** Bits to state for which windows another limit applies (1), and that it does not for all, which is less plain (3). */
const WINDOWS_BITS = 4;

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

/**
 * Another limit from some moment on, for all keys, as the Limit of each answer says. What was counted before counts
 * against it, too.
 */
export function* proposeLaterLimits(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const decided = inOrder(world.histories.flatMap(({ events }) => events.filter(isDecided)));
  const stated = world.histories[0]?.limit ?? 0;
  const isLater = (event: Event): boolean => limitTold(event) === limit;
  const [limit, ...more] = new Set(decided.flatMap((event) => (limitTold(event) === stated ? [] : limitTold(event))));
  const first = decided.find(isLater);
  const last = decided.findLast((event) => !isLater(event));
  if (!first || !last || limit === undefined || limit === null || limit < 1 || more.length > 0) return;
  // Of those under way at the moment, each answer says by which limit it was decided.
  if (last.from > first.to) return;
  const isAfter = (event: Event): boolean => (isDecided(event) ? isLater(event) : event.from > first.from);
  // A counter may also count what it refuses. This shows when the limit rises.
  for (const refused of [false, true]) {
    const isCharged = (event: Event): boolean => !isAfter(event) && (refused || event.outcome !== 'refused');
    const charge = (event: Event): Event => (isCharged(event) ? chargedHere(event, isDecided(event)) : event);
    yield {
      deviations: [
        {
          operator: 'other-limit',
          parameters: { kind, limit, limitHeader: limit, remainingFrom: limit, from: { at: first.from } },
        },
      ],
      bits: DEVIATION_BITS + MOMENT_BITS + TOLD_BITS + Number(refused),
      isStated: true,
      world: changed(world, (history) => [
        withEvents(history, (event) => (isAfter(event) ? null : event)),
        {
          ...withEvents(history, (event) => (isAfter(event) || isCharged(event) ? charge(event) : null)),
          ...{ limit, shown: limit },
        },
      ]),
    };
  }
}
