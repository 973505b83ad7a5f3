import { below, upTo } from '../../oracle/counts.ts';
import type { Event, History } from '../../oracle/history.ts';
import { limitOf, singleInteger, toEvent } from '../../oracle/history.ts';
import type { Exchange, Kind } from '../../trace/exchange.ts';
import { DEVIATION_BITS, type Proposal, type Proposer, type SearchContext } from '../proposal.ts';
import { changed, inOrder, isDecided, merged, unclear, type World, withEvents } from '../world.ts';

/** All keys draw on one budget. */
export function* proposeOneBudget(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const keys = severalKeys(world);
  if (keys.length > 1) yield sharing(world, kind, [keys], 1);
}

/**
 * Keys that draw on one budget, as far as they are explained so: by counters, or by the other mechanisms, each in a proposer of its own, since
 * counters take most of the work.
 */
export const KEY_BLOCKS: readonly Proposer[] = [false, true].map(
  (counters) =>
    function* proposeKeyBlocks(world: World, { kind, fitter }: SearchContext): Iterable<Proposal> {
      const keys = severalKeys(world);
      if (keys.length < 3) return;
      const shapes = world.shapes.filter(({ mechanism }) => mechanism.startsWith('counter') === counters);
      const found = sharedBlocks(keys, (block) => {
        const together = joined(world, block);
        return together !== null && fitter.fit({ ...world, histories: [together], shapes }) !== null;
      });
      if (found.length > 0) yield sharing(world, kind, found, keys.length * Math.log2(found.length + 1));
    },
);

/** The keys, where each has one history. */
function severalKeys({ histories }: World): readonly string[] {
  const keys = histories.map(({ key }) => key);
  return new Set(keys).size < keys.length ? [] : keys;
}

function joined({ histories }: World, block: readonly string[]): History | null {
  const own = histories.filter(({ key }) => block.includes(key));
  return merged(own, block.join(' and '));
}

function sharing(world: World, kind: Kind, blocks: readonly (readonly string[])[], bits: number): Proposal {
  const shared = new Set(blocks.flat());
  const own = world.histories.filter(({ key }) => !shared.has(key));
  return {
    deviations: [{ operator: 'shared-keys', parameters: { kinds: [kind], blocks } }],
    bits: DEVIATION_BITS + bits,
    world: { ...world, histories: [...blocks.flatMap((block) => joined(world, block) ?? []), ...own] },
  };
}

/** The keys that share budgets, those of one together: no key that `isOne` says has its own, and as few as can be that it can make nothing of. */
function sharedBlocks(
  keys: readonly string[],
  isOne: (block: readonly string[]) => boolean,
): readonly (readonly string[])[] {
  const known = new Map<string, boolean>();
  const explained = (block: readonly string[]): boolean => {
    const name = block.join(' and ');
    const found = known.get(name) ?? isOne(block);
    known.set(name, found);
    return found;
  };
  const divide = ([first, ...rest]: readonly string[]): readonly (readonly string[])[] => {
    if (first === undefined) return [];
    let best: readonly (readonly string[])[] = [];
    for (const others of subsetsOf(rest)) {
      const block = [first, ...others];
      if (others.length === 0 || !explained(block)) continue;
      const found = [block, ...divide(rest.filter((key) => !others.includes(key)))];
      if (found.flat().length === block.length + rest.length - others.length) return found;
      if (found.flat().length > best.flat().length) best = found;
    }
    const alone = divide(rest);
    return alone.flat().length > best.flat().length ? alone : best;
  };
  const unexplained = keys.filter((key) => !explained([key]));
  return unexplained.length > MOST_KEYS ? [] : divide(unexplained);
}

/** Of more keys there are more ways to divide them than can be tried. */
const MOST_KEYS = 8;

/** All subsets, each in order. */
function subsetsOf(keys: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: 2 ** keys.length }, (_, which) => keys.filter((_, at) => which & (1 << at)));
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

/**
 * The budget with requests that were charged to it too. Where something was surely left, they were counted for certain: after the latest answer
 * that told what is left, more than all requests that may have been decided since. Of the others, nobody knows.
 */
function alsoCharged(history: History, foreign: readonly Event[]): History {
  if (foreign.length === 0) return history;
  const events = inOrder([...history.events, ...foreign]);
  const starts = Float64Array.from(events, ({ from }) => from);
  const ends = Float64Array.from(events, ({ to }) => to).sort();
  const told = history.events.filter(({ outcome, remaining }) => outcome === 'refused' || remaining !== null);
  const byAnswer = told.toSorted((one, other) => one.to - other.to);
  let at = 0;
  let last: Event | null = null;
  const isSure = ({ from, to }: Event): boolean => {
    for (let next = byAnswer[at]; next && next.to < from; next = byAnswer[++at]) {
      if (!last || next.from > last.from) last = next;
    }
    const left = last === null ? history.limit : last.outcome === 'refused' ? 0 : (last.remaining ?? 0);
    const since = upTo(starts, to) - (last === null ? 0 : below(ends, last.from) + 1);
    return left >= since;
  };
  return {
    ...history,
    events: events.map((event) => (event.outcome !== 'foreign' || isSure(event) ? event : unclear(event))),
  };
}

/** Bits to say which of three classes of requests are charged, and whether it is to the key that was used last or always to one. */
const CHARGED_BITS = Math.log2(3) + 1;

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
      { to: { chosen: 'last used' as const }, takes: null, bits: CHARGED_BITS },
      ...keys.map((key) => ({ to: key, takes: key, bits: CHARGED_BITS + Math.log2(keys.length) })),
    ];
    for (const { to, takes, bits } of targets) {
      const charged = ({ key }: History): readonly Event[] => {
        if (takes !== null && takes !== key) return [];
        return requests.flatMap((each) => {
          const payers = takes === null ? (lastUsed.get(each) ?? []) : [takes];
          return payers.includes(key) ? chargedHere(toEvent(each, UNREAD), payers.length === 1) : [];
        });
      };
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
