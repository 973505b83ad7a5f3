import { type Attribute, classOf } from '../../deployment/attribute.ts';
import type { Event, History } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type Proposer, type SearchContext } from '../proposal.ts';
import { isDecided, type World } from '../world.ts';
import { ATTRIBUTE_BITS, eachApart, Partition } from './partition.ts';

/** What limiters tell requests apart by that the specification says share a budget. */
const ATTRIBUTES: readonly Attribute[] = ['operation', 'group', 'method', 'path', 'credential'];

/** Bits to say which requests had a connection of their own: one of 64 ways to use connections. */
const CONNECTION_BITS = 6;

/** More classes than these are tried each by itself, and in no other way. */
const MOST_CLASSES = 16;

/** Scopes in which each class of an attribute has a budget of its own, or each URL. */
export function* proposeApart(world: World, context: SearchContext): Iterable<Proposal> {
  const differs = (attribute: Attribute): boolean => classesOf(world, attribute, tells).length > 1;
  for (const attribute of ATTRIBUTES) {
    if (differs(attribute)) yield apart(world, context, [attribute]);
  }
  if (differs('query-string')) {
    yield apart(world, context, ['query-string']);
    if (differs('path')) yield apart(world, context, ['path', 'query-string']);
  }
  if (showsConnections(world)) yield apart(world, context, ['connection']);
}

/** Scopes in which the classes of an attribute share budgets in the blocks that the run shows: a proposer for each attribute. */
export const PARTITIONS: readonly Proposer[] = ATTRIBUTES.map(
  (attribute) =>
    function* proposePartition(world: World, context: SearchContext): Iterable<Proposal> {
      const classes = classesOf(world, attribute, isDecided);
      if (classes.length < 2 || classes.length > MOST_CLASSES) return;
      const found = new Partition(world, context, attribute, classes).find();
      if (found) yield found;
    },
);

/** A connection that carried so many requests shows whether it counts by itself; where none did, nothing shows. */
const FEWEST_REQUESTS = 3;

function showsConnections({ histories }: World): boolean {
  return histories.some(({ events }) => {
    const accepted = events.filter(({ outcome }) => outcome === 'accepted');
    const carried = [...Map.groupBy(accepted, ({ exchange }) => exchange.connection).values()];
    return carried.some((own) => own.length >= FEWEST_REQUESTS);
  });
}

/** Whether an answer tells what is left of some budget. */
function tells(event: Event): boolean {
  return isDecided(event) || (event.outcome === 'failed' && event.remaining !== null);
}

/** Classes of some requests, the most frequent first. */
function classesOf({ histories }: World, attribute: Attribute, meant: (event: Event) => boolean): readonly string[] {
  const weight = new Map<string, number>();
  for (const { events } of histories) {
    for (const event of events) {
      if (!meant(event)) continue;
      const name = classOf(attribute, event.exchange);
      weight.set(name, (weight.get(name) ?? 0) + 1);
    }
  }
  return [...weight].sort(([, one], [, other]) => other - one).map(([name]) => name);
}

function apart(world: World, { kind }: SearchContext, attributes: readonly Attribute[]): Proposal {
  const histories = world.histories.flatMap((history) => {
    const parts = Map.groupBy(history.events, ({ exchange }) =>
      attributes.map((attribute) => classOf(attribute, exchange)).join('?'),
    );
    return [...parts].map(([name, events]): History => ({ ...history, key: `${history.key} ${name}`, events }));
  });
  return {
    deviations: attributes.map((attribute) => eachApart(kind, attribute)),
    // Where nearly every request has a connection of its own, to count by it explains nearly anything.
    bits:
      DEVIATION_BITS + attributes.length * ATTRIBUTE_BITS + (attributes.includes('connection') ? CONNECTION_BITS : 0),
    world: { ...world, histories },
  };
}
