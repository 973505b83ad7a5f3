import type { Event, History } from '../../oracle/history.ts';
import { limitOf, singleInteger, toEvent } from '../../oracle/history.ts';
import type { Exchange, Kind } from '../../trace/exchange.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, inOrder, isDecided, merged, unclear, type World, withEvents } from '../world.ts';

/** Keys that draw on one budget: all of them, or those pairs that are explained together, and what these make of them all. */
export function* proposeSharedKeys(world: World, { kind, fitter }: SearchContext): Iterable<Proposal> {
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
  const known = new Map<string, boolean>();
  /** Whether these keys are explained as those that draw on one budget. */
  const explained = (block: readonly string[] = []): boolean => {
    const name = block.join(' and ');
    const together = merged(
      histories.filter(({ key }) => block.includes(key)),
      name,
    );
    const found = known.get(name) ?? (together !== null && fitter.fit({ ...world, histories: [together] }) !== null);
    known.set(name, found);
    return found;
  };
  for (let one = 0; one < blocks.length; one++) {
    for (let other = one + 1; other < blocks.length; other++) {
      const block = [...(blocks[one] ?? []), ...(blocks[other] ?? [])];
      if ((explained(blocks[one]) && explained(blocks[other])) || !explained(block)) continue;
      blocks[one] = block;
      blocks.splice(other, 1);
      other = one;
    }
  }
  const found = blocks.filter((block) => block.length > 1);
  if (found.length > 0) yield proposal(found, keys.length * Math.log2(found.length + 1));
}

/** Reads and writes of a key that draw on one count. */
export function* proposeSharedKinds(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  const how = kind === 'read' ? 'writes count as reads too' : 'reads count as writes too';
  // Requests that the other kind's limit refuses may be counted as well.
  for (const refused of [false, true]) {
    const histories = world.histories.map((history) => {
      const other = otherKind.find(({ key }) => key === history.key);
      if (!other) return history;
      const until = Math.min(history.until, other.until);
      const events = history.events.filter(({ from }) => from < until);
      const counted = other.events.flatMap((event) => asForeign(event, refused));
      return alsoCharged({ ...history, events, until }, counted);
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
export function* proposeOtherKind(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
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
  return [chargedHere(event, isDecided(event))];
}

/** A request that draws on this budget, for certain or perhaps, and of which nothing else is judged. */
function chargedHere(event: Event, certain: boolean): Event {
  return certain ? { ...unclear(event), outcome: 'foreign' } : unclear(event);
}

/** The budget with requests that were charged to it too. Of those that came when nothing was left, nobody knows whether they were counted. */
function alsoCharged(history: History, foreign: readonly Event[]): History {
  let left = history.limit;
  const events = inOrder([...history.events, ...foreign]).map((event) => {
    if (event.outcome === 'foreign') return left-- > 0 ? event : unclear(event);
    left = event.outcome === 'refused' ? 0 : (event.remaining ?? left);
    return event;
  });
  return { ...history, events };
}

/** Requests without an accepted key that are charged to a key: to one, to each that they resemble, or to the one used last. */
export function* proposeAnonymous(world: World, { kind, otherKind, anonymous }: SearchContext): Iterable<Proposal> {
  const { histories } = world;
  const own = anonymous.filter((each) => each.kind === kind && each.answered !== null);
  const classes = [
    ['no key', own.filter(({ fault }) => fault === 'no-key')],
    ['bad key', own.filter(({ fault }) => fault === 'bad-key')],
    ['both', own],
  ] as const;
  const keys = histories.map(({ key }) => key);
  const events = [...histories, ...otherKind].flatMap((history) => history.events);
  const lastUsed = new Map(own.map((each) => [each, lastKeys(events, each)]));
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
      const charged = (history: History): readonly Event[] =>
        requests.flatMap((each) => {
          const payers = takes === null ? (lastUsed.get(each) ?? []) : takes(history) ? [history.key] : [];
          return payers.includes(history.key) ? chargedHere(toEvent(each, UNREAD), payers.length === 1) : [];
        });
      yield {
        deviations: [{ operator: 'anonymous-charged', parameters: { which, to } }],
        bits: DEVIATION_BITS + bits + (takes === null ? bitsToAttribute(requests, lastUsed) : 0),
        world: { ...world, histories: histories.map((history) => alsoCharged(history, charged(history))) },
      };
    }
  }
}

/** Bits to say how many of each burst of requests were charged to each of the keys that may have been used last. */
function bitsToAttribute(requests: readonly Exchange[], lastUsed: ReadonlyMap<Exchange, readonly string[]>): number {
  const open = requests.filter((each) => (lastUsed.get(each)?.length ?? 0) > 1);
  const bursts = Map.groupBy(open, ({ sent }) => Math.floor(sent / BURST));
  return [...bursts.values()].reduce((sum, burst) => {
    const payers = new Set(burst.flatMap((each) => lastUsed.get(each) ?? []));
    return sum + (payers.size - 1) * Math.log2(burst.length + 1);
  }, 0);
}

/** Requests within so many µs are one burst. */
const BURST = 1_000_000;

const UNREAD = { unit: null, name: '', read: () => null };

/**
 * The keys that may have been used last when this request was decided: those of the latest request that was surely decided before it, and of
 * all that may have been decided after that one.
 */
function lastKeys(events: readonly Event[], { sent, answered }: Exchange): readonly string[] {
  const end = answered ?? sent;
  const latest = events.reduce(
    (most, { from, to }) => (to < sent ? Math.max(most, from) : most),
    Number.NEGATIVE_INFINITY,
  );
  const last = events.filter(({ from, to }) => from <= end && to >= latest);
  return [...new Set(last.flatMap(({ exchange }) => exchange.key ?? []))];
}
