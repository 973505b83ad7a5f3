import { classOf } from '../../deployment/attribute.ts';
import type { Event, History } from '../../oracle/history.ts';
import { bitsToChoose, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, type World, withEvents } from '../world.ts';
import { ATTRIBUTE_BITS } from './partition.ts';

/** An operation with fewer repeated answers than these does not show a cache. */
const FEWEST_REPEATED = 3;

/** Bits to state how long answers are repeated: one of 128 lengths. */
const LIFETIME_BITS = 7;

/**
 * Operations whose answers are repeated from a cache in front of the limiter. A repeated answer has the headers of an
 * earlier one to the same URL, and its request was not counted.
 */
export function* proposeRepeated(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const accepted = world.histories.flatMap(({ events }) => events.filter(({ outcome }) => outcome === 'accepted'));
  const repeated = new Set(world.histories.flatMap(repeatedIn));
  const operations = Map.groupBy(repeated, operationOf);
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

/** Accepted requests with the headers of an earlier answer to the same URL. Each that is counted has its own Remaining in a window. */
function repeatedIn({ events }: History): readonly Event[] {
  const told = events.filter(({ outcome, remaining }) => outcome === 'accepted' && remaining !== null);
  const alike = Map.groupBy(told, ({ exchange, remaining, reset }) => `${exchange.target} ${remaining} ${reset}`);
  return [...alike.values()].flatMap((answers) => answers.sort((one, other) => one.to - other.to).slice(1));
}

function operationOf({ exchange }: Event): string {
  return classOf('operation', exchange);
}
