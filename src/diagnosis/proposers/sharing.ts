import { type Event, type History, limitOf, singleInteger } from '../../oracle/history.ts';
import type { Kind } from '../../trace/exchange.ts';
import { DEVIATION_BITS, type Proposal, type Proposer, type SearchContext } from '../proposal.ts';
import { changed, inOrder, isDecided, merged, type World, withEvents } from '../world.ts';
import { alsoCharged, chargedHere } from './charged.ts';

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
