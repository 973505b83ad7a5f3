import { type Attribute, classOf } from '../../deployment/attribute.ts';
import type { Event } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type Proposer, type SearchContext } from '../proposal.ts';
import { changed, inOrder, type World, withEvents } from '../world.ts';

/** What a deployment may weigh otherwise by. */
const ATTRIBUTES: readonly Attribute[] = ['method', 'credential', 'group', 'operation'];

/** Bits by which the plainer word for a class that costs nothing is cheaper, where both explain it: that it is not limited at all. */
const EXEMPT_BITS = 4;

/** Bits for what a class that gives one back leaves open: how many of some 30 are given back where nothing was counted. */
const RETURN_BITS = 5;

/** Bits to say which of four attributes it is, and which of three weights. */
const WEIGHT_BITS = 4;

/** Bits for a class of this weight beside those to say it. */
const FURTHER_BITS = { 0: EXEMPT_BITS, 2: 0, [-1]: RETURN_BITS };

/** Where so many of all requests would count nothing, none of them were refused, and what they leave never changes. */
const MOST_FREE = 0.9;

/** Classes of requests that count twice or not at all, though the budget is the same for all: one proposer for each attribute. */
export const WEIGHTS: readonly Proposer[] = ATTRIBUTES.map(
  (attribute) =>
    function* proposeWeights(world: World, { kind }: SearchContext): Iterable<Proposal> {
      const accepted = world.histories.flatMap(({ events }) => events.filter(({ outcome }) => outcome === 'accepted'));
      const classes = Map.groupBy(accepted, ({ exchange }) => classOf(attribute, exchange));
      if (classes.size < 2 && attribute !== 'method') return;
      const refused = new Set(world.histories.flatMap(({ events }) => refusedClasses(events, attribute)));
      for (const [name, own] of [...classes].sort()) {
        const changes = refused.has(name) || new Set(own.map(({ remaining }) => remaining)).size > 1;
        for (const weight of [0, 2, -1] as const) {
          if (weight <= 0 && changes && own.length > MOST_FREE * accepted.length) continue;
          const has = ({ outcome, exchange }: Event): boolean =>
            (outcome === 'accepted' || (weight !== 0 && (outcome === 'failed' || outcome === 'unclear'))) &&
            classOf(attribute, exchange) === name;
          yield {
            deviations: [
              { operator: 'class-weight', parameters: { kinds: [kind], attribute, classes: [name], weight } },
            ],
            // That a class is not limited at all is the plainer word for a class that costs nothing, where both explain it.
            bits: DEVIATION_BITS + WEIGHT_BITS + Math.log2(classes.size) + FURTHER_BITS[weight],
            world: worldOf(world, has, weight),
          };
        }
      }
    },
);

function refusedClasses(events: readonly Event[], attribute: Attribute): readonly string[] {
  return events.flatMap(({ outcome, exchange }) => (outcome === 'refused' ? [classOf(attribute, exchange)] : []));
}

/** Failed requests that cost more than one, by the status that they were answered. */
export function* proposeFailedWeights(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const statuses = new Set(
    world.histories.flatMap(({ events }) =>
      events.flatMap(({ outcome, exchange }) => (outcome === 'failed' ? [`${exchange.status}`] : [])),
    ),
  );
  for (const status of [...statuses].sort()) {
    for (const weight of [2, 3]) {
      yield {
        deviations: [
          { operator: 'class-weight', parameters: { kinds: [kind], attribute: 'status', classes: [status], weight } },
        ],
        bits: DEVIATION_BITS + WEIGHT_BITS + Math.log2(statuses.size),
        world: multiplied(
          world,
          ({ outcome, exchange }) => outcome === 'failed' && `${exchange.status}` === status,
          weight,
          true,
        ),
      };
    }
  }
}

/** The world in which some accepted requests were not counted, though their headers are those of the budget. */
export function notCounted(world: World, which: (event: Event) => boolean): World {
  return changed(world, (history) =>
    withEvents(history, (event) => (which(event) ? { ...event, outcome: 'uncounted' } : event)),
  );
}

/** What failed may cost as much as what did not, or nothing. */
const MAYBE_RETURNED = { outcome: 'returnable', group: '', remaining: null, reset: null } as const;

/** The world in which some requests cost another number than one. */
function worldOf(world: World, which: (event: Event) => boolean, weight: number): World {
  if (weight === 0) return notCounted(world, which);
  if (weight > 0) return multiplied(world, which, weight);
  return changed(world, (history) =>
    withEvents(history, (event) => {
      if (!which(event)) return event;
      return event.outcome === 'accepted' ? { ...event, outcome: 'returned' } : { ...event, ...MAYBE_RETURNED };
    }),
  );
}

/**
 * The world in which some requests cost `weight` each.
 *
 * @param always failed ones, too; else these may be counted or not, as the deployment has it
 */
function multiplied(world: World, which: (event: Event) => boolean, weight: number, always = false): World {
  return changed(world, (history) => {
    const more = history.events.filter(which).flatMap((event) =>
      Array.from({ length: weight - 1 }, (): Event => {
        const outcome = event.outcome === 'accepted' || always ? 'foreign' : 'unclear';
        return { ...event, outcome, group: '', remaining: null, reset: null };
      }),
    );
    return { ...history, events: inOrder([...history.events, ...more]) };
  });
}
