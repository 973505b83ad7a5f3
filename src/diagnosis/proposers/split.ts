import { firstContradiction } from '../../oracle/first-contradiction.ts';
import type { Event, History } from '../../oracle/history.ts';
import { phaseByMarkers } from '../../oracle/marker-phase.ts';
import { variantOf } from '../../oracle/shapes.ts';
import { anyCounting, groupsOf } from '../fit.ts';
import { DEVIATION_BITS, MOMENT_BITS, NEVER_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, unclear, upToEnd, type World } from '../world.ts';

/**
 * Pauses to try, in µs: between two of them lie few of the pauses of a run. The longest that explains it ends windows
 * for certain.
 */
const PAUSES = [30, 20, 15, 12, 10, 8, 5, 3].map((seconds) => seconds * 1_000_000);

/** The number of mechanisms, of those that explain most budgets, that show where the counts of a budget were lost. */
const MOST_SHAPES = 3;

/** Bits to state which pause. */
const PAUSE_BITS = 3;

/**
 * Bits for a restart during the run: one run in eight at the most meets one, even of a deployment that is restarted
 * every quarter of an hour.
 */
const RESTART_BITS = 3;

/** Counts that are lost: after a pause of a budget, or once for all budgets. */
export function* proposeLostCounts(world: World, { kind, otherKind, likely, work }: SearchContext): Iterable<Proposal> {
  // If nothing is ever refused, no limit at all is the plainer explanation.
  const never = world.histories.some(({ events }) => events.some(({ outcome }) => outcome === 'refused'))
    ? 0
    : NEVER_BITS;
  for (const pause of PAUSES) {
    const split = changed(world, (history) => parts(history, (event, before) => event.from - before.to > pause));
    if (split.histories.length === world.histories.length) continue;
    yield {
      deviations: [
        {
          operator: 'moved-end',
          parameters: { kinds: [kind], trigger: 'idle', to: { after: 0 }, idle: pause, told: false },
        },
      ],
      bits: DEVIATION_BITS + PAUSE_BITS + never,
      world: split,
    };
  }
  // A restart loses the counts of both kinds, and one of them may show it better.
  const moments = new Set([...world.histories, ...otherKind].flatMap((history) => freshStarts(history, world.window)));
  for (const shape of likely.slice(0, MOST_SHAPES)) {
    for (const history of world.histories) {
      const groups = groupsOf([history]);
      const choice = anyCounting(groups);
      const found = firstContradiction(variantOf(shape, choice), history, phaseByMarkers(history), work);
      if (found?.event?.outcome === 'accepted') moments.add(found.event.from);
    }
  }
  for (const at of moments) {
    yield {
      deviations: [{ operator: 'counters-lost', parameters: { kinds: [kind], at } }],
      bits: DEVIATION_BITS + RESTART_BITS + MOMENT_BITS + never,
      world: changed(world, (history) => [
        { ...history, events: upToEnd(history.events, at) },
        { ...history, events: fromStart(history.events, at) },
      ]),
    };
  }
}

/** The events from a time on before which nothing counts. A request under way then may have been counted before. */
function fromStart(events: readonly Event[], start: number): readonly Event[] {
  return events.flatMap((event) => {
    if (event.from >= start) return [event];
    return event.to < start ? [] : [{ ...unclear(event), from: start }];
  });
}

/**
 * When a whole budget was left again, although some of it had been spent within the last window and nothing was under
 * way.
 */
function freshStarts({ events, limit }: History, window: number): readonly number[] {
  const accepted = events.filter(({ outcome }) => outcome === 'accepted');
  return accepted.flatMap(({ from, remaining }, at) => {
    const before = accepted[at - 1];
    return remaining === limit - 1 && before && before.to < from && before.to > from - window ? [from] : [];
  });
}

/** The history in parts. `begins` decides where each begins. */
function parts(history: History, begins: (event: Event, before: Event) => boolean): readonly History[] {
  const found: Event[][] = [];
  for (const event of history.events) {
    const before = found.at(-1)?.at(-1);
    if (!before || begins(event, before)) found.push([event]);
    else found.at(-1)?.push(event);
  }
  return found.map((events) => ({ ...history, events }));
}
