import { type Attribute, classOf } from '../../deployment/attribute.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, isDecided, limitTold, type World, withEvents } from '../world.ts';
import { alsoCharged, chargedHere } from './charged.ts';

/** Attributes for which a deployment may have limits of their own. */
const ATTRIBUTES: readonly Attribute[] = ['group', 'method', 'operation', 'path'];

/**
 * How requests with their own limit may be counted: which others count for it, and whether they count for the others.
 */
const WAYS = ['apart', 'besides', 'with all'] as const;

/** Bits to state the attribute, how they are counted, and the limit, which the headers state. */
const TOLD_BITS = Math.log2(ATTRIBUTES.length) + Math.log2(WAYS.length) + 2;

/**
 * A class of requests whose headers state a limit of their own, from which their Remaining counts down. The rest is
 * explained without them, or with them counted as well.
 */
export function* proposeToldLimits(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  const decided = world.histories.flatMap(({ events }) => events.filter(isDecided));
  const stated = world.histories[0]?.limit;
  for (const attribute of ATTRIBUTES) {
    const classes = Map.groupBy(decided, ({ exchange }) => classOf(attribute, exchange));
    for (const [name, events] of classes) {
      const [limit, ...others] = new Set(events.map(limitTold));
      if (limit === undefined || limit === null || limit < 1 || limit === stated || others.length > 0) continue;
      const tells = (event: Event): boolean => limitTold(event) === limit;
      // The limit must be stated by exactly these answers, and their Remaining must show it, too.
      if (!events.some(tellsLeft) || decided.filter(tells).length > events.length) continue;
      const isOwn = ({ exchange }: Event): boolean => classOf(attribute, exchange) === name;
      for (const counted of WAYS) {
        yield {
          deviations: [
            {
              operator: 'second-limit',
              parameters: {
                kinds: [kind],
                only: { attribute, classes: [name] },
                limit,
                window: WINDOW,
                told: { counted },
              },
            },
          ],
          bits: DEVIATION_BITS + TOLD_BITS + Math.log2(classes.size),
          world: changed(world, (history) => [
            counting({ ...history, key: `${history.key} ${name}`, limit, shown: limit }, isOwn, counted === 'with all'),
            counting(history, (event) => !isOwn(event), counted !== 'apart'),
          ]),
        };
      }
    }
  }
}

/** The budget of some of the requests of a history. @param besides whether the others are counted, too */
function counting(history: History, which: (event: Event) => boolean, besides: boolean): History {
  const own = withEvents(history, (event) => (which(event) ? event : null));
  if (!besides || own.events.length === 0) return own;
  const others = history.events.filter((event) => !which(event) && event.outcome !== 'refused');
  return alsoCharged(
    own,
    others.map((event) => chargedHere(event, event.outcome === 'accepted')),
  );
}

function tellsLeft({ outcome, remaining }: Event): boolean {
  return outcome === 'accepted' && remaining !== null;
}
