import { classOf } from '../../deployment/attribute.ts';
import { isRepeatedByCaches } from '../../deployment/deviations/finer-scope.ts';
import type { Event, History } from '../../oracle/history.ts';
import { bitsToChoose, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, type World, withEvents } from '../world.ts';
import { ATTRIBUTE_BITS } from './partition.ts';

/**
 * An operation with fewer answers than these that repeat one from before they were asked for does not show a cache.
 * Requests that are under way together may not see each other's count, too.
 */
const FEWEST_REPEATED = 3;

/** Bits to state how long answers are repeated: one of 128 lengths. */
const LIFETIME_BITS = 7;

/**
 * Operations whose answers are repeated from a cache in front of the limiter. A repeated answer has the headers of an
 * earlier one to the same method and URL, and its request was not counted.
 */
export function* proposeRepeated(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const accepted = world.histories.flatMap(({ events }) => events.filter(({ outcome }) => outcome === 'accepted'));
  const found = world.histories.flatMap(repeatedIn);
  const repeated = new Set(found.map(({ event }) => event));
  const operations = Map.groupBy(
    found.filter(({ isLater }) => isLater),
    ({ event }) => operationOf(event),
  );
  const exempt = [...operations].flatMap(([name, own]) => (own.length >= FEWEST_REPEATED ? [name] : [])).sort();
  if (exempt.length === 0) return;
  const isMeant = (event: Event): boolean => repeated.has(event) && exempt.includes(operationOf(event));
  const all = new Set(accepted.map(operationOf)).size;
  yield {
    deviations: [
      {
        operator: 'finer-scope',
        parameters: {
          ...{ kinds: [kind], attribute: 'operation', blocks: [], exempt },
          ...{ others: 'together', exemptHeaders: 'repeated' },
        },
      },
    ],
    bits: DEVIATION_BITS + ATTRIBUTE_BITS + bitsToChoose(all, exempt.length) + LIFETIME_BITS,
    world: changed(world, (history) =>
      withEvents(history, (event) =>
        isMeant(event) ? { ...event, outcome: 'uncounted', remaining: null, reset: null } : event,
      ),
    ),
  };
}

/**
 * Accepted requests with the headers of an earlier answer to the same URL, and whether they were sent after that answer.
 * Each that is counted has its own Remaining in a window.
 */
function repeatedIn({ events }: History): readonly { readonly event: Event; readonly isLater: boolean }[] {
  const told = events.filter(
    ({ outcome, remaining, exchange }) =>
      outcome === 'accepted' && remaining !== null && isRepeatedByCaches(exchange.method),
  );
  const alike = Map.groupBy(
    told,
    ({ exchange, remaining, reset }) => `${exchange.method} ${exchange.target} ${remaining} ${reset}`,
  );
  return [...alike.values()].flatMap((answers) => {
    const [original, ...others] = answers.sort((one, other) => one.to - other.to);
    return original ? others.map((event) => ({ event, isLater: event.from > original.to })) : [];
  });
}

function operationOf({ exchange }: Event): string {
  return classOf('operation', exchange);
}
