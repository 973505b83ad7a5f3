import type { Event, History } from '../../oracle/history.ts';
import { limitOf, singleInteger, toEvent } from '../../oracle/history.ts';
import type { Exchange, Kind } from '../../trace/exchange.ts';
import { DEVIATION_BITS, type Proposal, type Scene } from '../proposal.ts';
import { changed, inOrder, isDecided, merged, type World, withEvents } from '../world.ts';

/** Keys that draw on one budget: all of them, or those pairs that are explained together, and what these make of them all. */
export function* proposeSharedKeys(world: World, { kind, fitter }: Scene): Iterable<Proposal> {
  const { histories } = world;
  const keys = histories.map(({ key }) => key);
  if (new Set(keys).size < 2 || new Set(keys).size < keys.length) return;
  const worldOf = (blocks: readonly (readonly string[])[]): World => {
    const shared = new Set(blocks.flat());
    const own = histories.filter(({ key }) => !shared.has(key));
    const joined = blocks.flatMap((block) => {
      const together = histories.filter(({ key }) => block.includes(key));
      return merged(together, block.join(' and ')) ?? [];
    });
    return { ...world, histories: [...joined, ...own] };
  };
  const proposal = (blocks: readonly (readonly string[])[], bits: number): Proposal => ({
    deviations: [{ operator: 'shared-keys', parameters: { kinds: [kind], blocks } }],
    bits: DEVIATION_BITS + bits,
    world: worldOf(blocks),
  });
  yield proposal([keys], 1);
  if (keys.length < 3) return;
  const blocks: string[][] = keys.map((key) => [key]);
  for (let one = 0; one < blocks.length; one++) {
    for (let other = one + 1; other < blocks.length; other++) {
      const block = [...(blocks[one] ?? []), ...(blocks[other] ?? [])];
      const together = merged(
        histories.filter(({ key }) => block.includes(key)),
        block.join(' and '),
      );
      const apart = (blocks[one] ?? []).length === 1 ? histories.filter(({ key }) => key === blocks[one]?.[0]) : [];
      const explainedApart = apart.length > 0 && fitter.fit({ ...world, histories: apart }) !== null;
      if (!together || explainedApart || !fitter.fit({ ...world, histories: [together] })) continue;
      blocks[one] = block;
      blocks.splice(other, 1);
      other = one;
    }
  }
  const found = blocks.filter((block) => block.length > 1);
  if (found.length > 0) yield proposal(found, keys.length * Math.log2(found.length + 1));
}

/** Reads and writes of a key that draw on one count. */
export function* proposeSharedKinds(world: World, { kind, otherKind }: Scene): Iterable<Proposal> {
  const how = kind === 'read' ? 'writes count as reads too' : 'reads count as writes too';
  // Requests that the other kind's limit refuses may be counted as well.
  for (const refused of [false, true]) {
    const histories = world.histories.map((history) => {
      const others = otherKind.find(({ key }) => key === history.key)?.events ?? [];
      const counted = others.flatMap((event) => asForeign(event, refused));
      return { ...history, events: inOrder([...history.events, ...counted]) };
    });
    yield {
      deviations: [{ operator: 'shared-kinds', parameters: { how } }],
      bits: DEVIATION_BITS + 1 + Number(refused),
      world: { ...world, histories },
    };
  }
}

/** Bits to say which kind's operation it is, and that it is told of as the other's: headers and limit. */
const KIND_BITS = 4;

/**
 * Operations of one kind that are charged to the budget of the other, whose limit is theirs. What that makes of the other kind is seen when
 * that kind is explained: the two may have different mechanisms.
 */
export function* proposeOtherKind(world: World, { kind, otherKind }: Scene): Iterable<Proposal> {
  const other: Kind = kind === 'read' ? 'write' : 'read';
  for (const [source, from] of [
    [kind, world.histories],
    [other, otherKind],
  ] as const) {
    const decided = from.flatMap(({ events }) => events.filter(isDecided));
    const operations = Map.groupBy(decided, ({ exchange }) => exchange.operation ?? '');
    for (const operation of [...operations.keys()].sort()) {
      // What draws on the other kind's budget tells that kind's limit.
      const told = operations.get(operation) ?? [];
      if (told.some(({ exchange }) => singleInteger(exchange.headers.limit) === limitOf(source))) continue;
      const isMoved = ({ exchange }: Event): boolean => exchange.operation === operation;
      yield {
        deviations: [{ operator: 'charged-as-other-kind', parameters: { kind: source, operations: [operation] } }],
        bits: DEVIATION_BITS + KIND_BITS + Math.log2(operations.size + 1),
        world: changed(world, (history) => {
          if (source === kind) return withEvents(history, (event) => (isMoved(event) ? null : event));
          const more = otherKind.find(({ key }) => key === history.key)?.events.filter(isMoved) ?? [];
          return { ...history, events: inOrder([...history.events, ...more]) };
        }),
      };
    }
  }
}

/** What a request of another budget is to this one, were it counted here too. */
function asForeign(event: Event, refused: boolean): readonly Event[] {
  if (event.outcome === 'refused' && !refused) return [];
  const certain = event.outcome === 'accepted' || event.outcome === 'refused';
  return [{ ...event, outcome: certain ? 'foreign' : 'unclear', group: '', remaining: null, reset: null }];
}

/** Requests without an accepted key that are charged to a key: to one, to each that they resemble, or to the one used last. */
export function* proposeAnonymous(world: World, { kind, anonymous }: Scene): Iterable<Proposal> {
  const { histories } = world;
  const own = anonymous.filter((each) => each.kind === kind && each.answered !== null);
  const classes = [
    ['no key', own.filter(({ fault }) => fault === 'no-key')],
    ['bad key', own.filter(({ fault }) => fault === 'bad-key')],
    ['both', own],
  ] as const;
  const keys = histories.map(({ key }) => key);
  for (const [which, requests] of classes) {
    if (
      requests.length === 0 ||
      (which === 'both' && classes.some(([, each]) => each.length === own.length && each !== requests))
    ) {
      continue;
    }
    const targets = [
      { to: { chosen: 'last used' as const }, takes: null, bits: 3 },
      ...keys.map((key) => ({ to: key, takes: (history: History) => history.key === key, bits: 4 })),
    ];
    for (const { to, takes, bits } of targets) {
      const charged = (history: History): readonly Exchange[] =>
        takes === null
          ? requests.filter((each) => lastUsed(histories, each) === history.key)
          : takes(history)
            ? requests
            : [];
      yield {
        deviations: [{ operator: 'anonymous-charged', parameters: { which, to } }],
        bits: DEVIATION_BITS + bits,
        world: { ...world, histories: histories.map((history) => withCharged(history, charged(history))) },
      };
    }
  }
}

function withCharged(history: History, requests: readonly Exchange[]): History {
  if (requests.length === 0) return history;
  const charged = requests.map(
    (exchange): Event => ({
      ...toEvent(exchange, UNREAD),
      outcome: 'foreign',
      group: '',
      remaining: null,
      reset: null,
    }),
  );
  return { ...history, events: inOrder([...history.events, ...charged]) };
}

const UNREAD = { unit: null, name: '', read: () => null };

/** The key whose request was answered last before this one was sent. */
function lastUsed(histories: readonly History[], { sent }: Exchange): string | null {
  let key: string | null = null;
  let latest = Number.NEGATIVE_INFINITY;
  for (const history of histories) {
    for (const { to } of history.events) {
      if (to >= sent || to <= latest) continue;
      latest = to;
      key = history.key;
    }
  }
  return key;
}
