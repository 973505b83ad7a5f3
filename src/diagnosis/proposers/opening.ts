import type { Event, History } from '../../oracle/history.ts';
import { together } from '../../oracle/together.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, unclear, type World, withEvents } from '../world.ts';

/** Bits to state that only requests that open a window do not see each other. */
const WHEN_BITS = 1;

/** Simultaneous requests that open a window, and others that were under way with them. */
interface Opening {
  /** Those whose answers say that nothing else was counted; the one that was answered last is left out. */
  readonly lost: readonly Event[];
  readonly others: readonly Event[];
}

/**
 * Windows that are made by several requests at once: each finds no window and makes one, so all of them count as one.
 * Requests that were under way with them may have been counted in a window that was made anew.
 */
export function* proposeOpenings(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const openings = world.histories.flatMap(openingsOf);
  if (openings.length === 0) return;
  const lost = new Set(openings.flatMap((opening) => opening.lost));
  const others = new Set(openings.flatMap((opening) => opening.others));
  yield {
    deviations: [{ operator: 'lost-updates', parameters: { kinds: [kind], gap: 0, when: 'window is made' } }],
    bits: DEVIATION_BITS + WHEN_BITS + openings.reduce((sum, opening) => sum + Math.log2(opening.others.length + 1), 0),
    world: changed(world, (history) =>
      withEvents(history, (event) => {
        if (lost.has(event)) return { ...event, outcome: 'uncounted', remaining: null, reset: null };
        return others.has(event) ? unclear(event) : event;
      }),
    ),
  };
}

function openingsOf({ events, shown }: History): readonly Opening[] {
  const tops = events.filter(
    ({ outcome, remaining }) => (outcome === 'accepted' || outcome === 'failed') && remaining === shown - 1,
  );
  return together(tops)
    .filter(({ length }) => length > 1)
    .map((crowd) => {
      const from = Math.min(...crowd.map((event) => event.from));
      const to = Math.max(...crowd.map((event) => event.to));
      const last = crowd.findLast((event) => event.to === to);
      return {
        lost: crowd.filter((event) => event !== last),
        others: events.filter((event) => !crowd.includes(event) && event.from <= to && event.to >= from),
      };
    });
}
