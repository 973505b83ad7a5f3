import { type Attribute, classOf } from '../../deployment/attribute.ts';
import type { Event, History } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type Proposer, type SearchContext } from '../proposal.ts';
import { inOrder, isCharged, isDecided, unclear, type World } from '../world.ts';
import { eachApart, Partition } from './partition.ts';
import { ATTRIBUTE_BITS, CONNECTION_BITS } from './scope-bits.ts';

/** Attributes by which limiters separate requests that must share a budget under the specification. */
const ATTRIBUTES: readonly Attribute[] = ['operation', 'group', 'method', 'path', 'credential'];

/** With more classes than these, each is tried only with a budget of its own. */
export const MOST_CLASSES = 16;

/** Scopes in which each class of an attribute, or each URL, has its own budget. */
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

/**
 * Scopes in which classes of an attribute share budgets, in blocks that the run shows: one proposer for each attribute.
 */
export const PARTITIONS: readonly Proposer[] = ATTRIBUTES.map(
  (attribute) =>
    function* proposePartition(world: World, context: SearchContext): Iterable<Proposal> {
      const classes = classesOf(world, attribute, isDecided);
      if (classes.length < 2 || classes.length > MOST_CLASSES) return;
      const found = new Partition(world, context, attribute, classes).find();
      if (found) yield found;
    },
);

/** Only a connection with this many requests shows whether it has its own budget. */
const FEWEST_REQUESTS = 3;

function showsConnections({ histories }: World): boolean {
  return histories.some(({ events }) => {
    const accepted = events.filter(({ outcome }) => outcome === 'accepted');
    const carried = [...Map.groupBy(accepted, ({ exchange }) => exchange.connection).values()];
    return carried.some((own) => own.length >= FEWEST_REQUESTS);
  });
}

/** Whether an answer states what is left of some budget. */
function tells(event: Event): boolean {
  return isDecided(event) || (event.outcome === 'failed' && event.remaining !== null);
}

/** Classes of some requests, the most frequent first. */
export function classesOf(
  { histories }: World,
  attribute: Attribute,
  meant: (event: Event) => boolean,
): readonly string[] {
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

export function apart(world: World, { kind }: Pick<SearchContext, 'kind'>, attributes: readonly Attribute[]): Proposal {
  const nameOf = ({ exchange }: Event): string => attributes.map((attribute) => classOf(attribute, exchange)).join('?');
  // Of a class that no answer tells of, it is unknown how the limiter sees it: its requests may have used any budget.
  // Of requests of the other kind that are charged here, those of that kind tell.
  const told = new Set(world.histories.flatMap(({ events }) => events.filter(tells).map(nameOf)));
  const isOpen = (event: Event): boolean =>
    !attributes.includes('connection') && !isCharged(event, kind) && !told.has(nameOf(event));
  const histories = world.histories.flatMap((history) => {
    const open = history.events.filter(isOpen).map(unclear);
    const parts = Map.groupBy(
      history.events.filter((event) => !isOpen(event)),
      nameOf,
    );
    return [...parts].map(
      ([name, own]): History => ({ ...history, key: `${history.key} ${name}`, events: inOrder([...own, ...open]) }),
    );
  });
  return {
    deviations: attributes.map((attribute) => eachApart(kind, attribute)),
    // If almost every request has its own connection, a budget for each connection would explain almost anything.
    bits:
      DEVIATION_BITS + attributes.length * ATTRIBUTE_BITS + (attributes.includes('connection') ? CONNECTION_BITS : 0),
    world: { ...world, histories },
  };
}
