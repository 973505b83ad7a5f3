import type { Event, History } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, type World, withEvents } from '../world.ts';
import { LAG_BITS } from './crowd.ts';
import { LONGEST_LAG } from './lateness.ts';

/** In µs: for less, requests are under way at once, and which of them leaves how many is chance. */
const SHORTEST_GAP = 100_000;

/** At least so many groups of unlike requests must show the rule. */
const FEWEST_GROUPS = 3;

/**
 * A count that is read from a cache, and written back as one more: of the requests in a time, one is counted, and all
 * leave as many. Those that leave fewer come after that time.
 */
export function* proposeStaleCounts(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.remaining || !world.layers.reset) return;
  const groups = world.histories.map(groupsOf);
  const several = groups.flat().filter(({ length }) => length > 1);
  const gap = several.reduce((longest, own) => Math.max(longest, startOf(own.at(-1)) - startOf(own[0])), 0);
  // Equal requests may be answered by a cache, or by what repeats an answer.
  const unlike = several.filter((own) => new Set(own.map(({ exchange }) => exchange.operation)).size > 1);
  if (unlike.length < FEWEST_GROUPS || gap < SHORTEST_GAP || gap > LONGEST_LAG) return;
  const areApart = groups.every((own) =>
    own.every(([first], at) => at === 0 || startOf(first) >= startOf(own[at - 1]?.at(-1))),
  );
  if (!areApart) return;
  const uncounted = new Set(several.flatMap((own) => own.slice(1)));
  yield {
    deviations: [{ operator: 'lost-updates', parameters: { kinds: [kind], gap, when: 'always' } }],
    bits: DEVIATION_BITS + LAG_BITS,
    world: changed(world, (history) =>
      withEvents(history, (event) => (uncounted.has(event) ? { ...event, outcome: 'uncounted' } : event)),
    ),
  };
}

/** The accepted requests of each window that leave as many, each in order of sending; the groups as well. */
function groupsOf({ events }: History): readonly (readonly Event[])[] {
  const told = events.filter(
    ({ outcome, remaining, reset }) => outcome === 'accepted' && remaining !== null && reset !== null,
  );
  return [...Map.groupBy(told, ({ remaining, reset }) => `${remaining} ${reset}`).values()].sort(
    (one, other) => startOf(one[0]) - startOf(other[0]),
  );
}

function startOf(event: Event | undefined): number {
  return event?.from ?? 0;
}
