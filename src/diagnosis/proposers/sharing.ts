import { classOf } from '../../deployment/attribute.ts';
import type { Event, History } from '../../oracle/history.ts';
import type { Kind } from '../../trace/exchange.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type Proposer, type SearchContext } from '../proposal.ts';
import { isDecided, merged, upToEnd, type World } from '../world.ts';
import { alsoCharged, chargedHere } from './charged.ts';

/** For each shared budget, the keys that use it. */
type Blocks = readonly (readonly string[])[];

/** All keys, or all but one, use one budget. */
export function* proposeOneBudget(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const keys = severalKeys(world);
  if (keys.length > 1) yield sharing(world, kind, [keys], 1);
  // Blocks that are explained this way show which keys share a budget. There are none if something else is wrong, too.
  if (keys.length < 3) return;
  for (const apart of keys) {
    const block = keys.filter((key) => key !== apart);
    yield sharing(world, kind, [block], bitsOfPartition(keys.length, [block]));
  }
}

/**
 * Keys that use one budget, as far as this explains them: with counters, or with the other mechanisms. These are
 * separate proposers, because counters need most of the work.
 */
export const KEY_BLOCKS: readonly Proposer[] = [false, true].map(
  (counters) =>
    function* proposeKeyBlocks(world: World, { kind, fitter }: SearchContext): Iterable<Proposal> {
      const keys = severalKeys(world);
      if (keys.length < 3) return;
      const shapes = world.shapes.filter(({ mechanism }) => mechanism.startsWith('counter') === counters);
      const blocks = sharedBlocks(keys, (block) => {
        const together = joined(world, block);
        return together !== null && fitter.fit({ ...world, histories: [together], shapes }) !== null;
      });
      for (const found of blocks) yield sharing(world, kind, found, bitsOfPartition(keys.length, found));
    },
);

/**
 * Bits to state which keys share budgets: how often two are joined, and which of the divisions of all keys with this
 * number it is.
 */
function bitsOfPartition(keys: number, blocks: Blocks): number {
  const joins = blocks.flat().length - blocks.length;
  return bitsOfNumber(joins - 1) + Math.log2(waysToDivide(keys, keys - joins));
}

/** In how many ways n keys can be divided into m budgets (Stirling 1730). */
function waysToDivide(n: number, m: number): number {
  if (m <= 0 || m > n) return n === m ? 1 : 0;
  return waysToDivide(n - 1, m - 1) + m * waysToDivide(n - 1, m);
}

/** The keys, if each has one history. */
export function severalKeys({ histories }: World): readonly string[] {
  const keys = histories.map(({ key }) => key);
  return new Set(keys).size < keys.length ? [] : keys;
}

function joined({ histories }: World, block: readonly string[]): History | null {
  const own = histories.filter(({ key }) => block.includes(key));
  return merged(own, block.join(' and '));
}

function sharing(world: World, kind: Kind, blocks: Blocks, bits: number): Proposal {
  const shared = new Set(blocks.flat());
  const own = world.histories.filter(({ key }) => !shared.has(key));
  return {
    deviations: [{ operator: 'shared-keys', parameters: { kinds: [kind], blocks } }],
    bits: DEVIATION_BITS + bits,
    world: { ...world, histories: [...blocks.flatMap((block) => joined(world, block) ?? []), ...own] },
  };
}

/**
 * The keys that share budgets, grouped. First the keys that `isOne` does not explain alone, in the smallest groups that
 * it explains. If some cannot be grouped this way, a little-used key that is explained alone may be their partner: then
 * the fewest such keys.
 */
function* sharedBlocks(keys: readonly string[], isOne: (block: readonly string[]) => boolean): Iterable<Blocks> {
  const known = new Map<string, boolean>();
  const explained = (block: readonly string[]): boolean => {
    const name = block.join(' and ');
    const found = known.get(name) ?? isOne(block);
    known.set(name, found);
    return found;
  };
  const divide = ([first, ...rest]: readonly string[]): Blocks => {
    if (first === undefined) return [];
    let best: Blocks = [];
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
  if (unexplained.length === 0 || unexplained.length > MOST_KEYS) return;
  const own = divide(unexplained);
  if (own.length > 0) yield own;
  if (own.flat().length === unexplained.length || keys.length > MOST_KEYS) return;
  /** Groups that cover all keys of `open`, with at most this many joins. */
  const cover = (open: readonly string[], spare: readonly string[], joins: number): Blocks | null => {
    const [first, ...rest] = open;
    if (first === undefined) return [];
    for (const partners of subsetsOf([...rest, ...spare])) {
      if (partners.length === 0 || partners.length > Math.min(joins, MOST_PARTNERS)) continue;
      const block = keys.filter((key) => key === first || partners.includes(key));
      if (!explained(block)) continue;
      const left = (names: readonly string[]): readonly string[] => names.filter((key) => !block.includes(key));
      const others = cover(left(rest), left(spare), joins - partners.length);
      if (others) return [block, ...others];
    }
    return null;
  };
  const spare = keys.filter((key) => !unexplained.includes(key));
  for (let joins = Math.ceil(unexplained.length / 2); joins < keys.length; joins++) {
    const found = cover(unexplained, spare, joins);
    if (!found) continue;
    yield [...found].sort(([one = ''], [other = '']) => keys.indexOf(one) - keys.indexOf(other));
    return;
  }
}

/**
 * The most keys joined with one key if each of them is also explained alone. With more, there would be too many
 * combinations.
 */
const MOST_PARTNERS = 3;

/** With more keys, there are too many divisions to try. */
const MOST_KEYS = 8;

/** All subsets, each in order, small ones first. */
function subsetsOf(keys: readonly string[]): Blocks {
  const all = Array.from({ length: 2 ** keys.length }, (_, which) => keys.filter((_, at) => which & (1 << at)));
  return all.sort((one, other) => one.length - other.length);
}

/** Reads and writes of a key that use one count, or requests of some class of the other kind that also count here. */
export function* proposeSharedKinds(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  const how = kind === 'read' ? 'writes count as reads too' : 'reads count as writes too';
  const also = (is: (event: Event) => boolean, refused: boolean, failing = false): World => ({
    ...world,
    histories: world.histories.map((history) => {
      const other = otherKind.find(({ key }) => key === history.key);
      if (!other) return history;
      const until = Math.min(history.until, other.until);
      const events = upToEnd(history.events, until);
      const counted = other.events.filter(is).flatMap((event) => asForeign(event, refused, failing));
      return alsoCharged({ ...history, events, until }, counted);
    }),
  });
  // Requests that the other kind's limit refuses may be counted as well.
  const ways = [false, true];
  for (const refused of ways) {
    yield {
      deviations: [{ operator: 'shared-kinds', parameters: { how } }],
      bits: DEVIATION_BITS + 1 + Number(refused),
      world: also(() => true, refused),
    };
  }
  for (const refused of ways) {
    yield {
      deviations: [{ operator: 'shared-kinds', parameters: { how, failing: true } }],
      bits: DEVIATION_BITS + 2 + Number(refused),
      isLast: true,
      world: also(({ outcome }) => outcome !== 'accepted', refused, true),
    };
  }
  const classes = classesOf(otherKind);
  for (const refused of ways) {
    for (const operations of classes) {
      yield {
        deviations: [{ operator: 'shared-kinds', parameters: { how, operations } }],
        bits: DEVIATION_BITS + 1 + Number(refused) + bitsOfNumber(classes.length),
        // Beside another deviation, some operation may always take what is missing.
        isLast: true,
        world: also(({ exchange }) => operations.includes(exchange.operation ?? ''), refused),
      };
    }
  }
}

/** The operations of each class by which requests may be told apart, unless all have it. */
function classesOf(histories: readonly History[]): readonly (readonly string[])[] {
  const exchanges = histories.flatMap(({ events }) => events.filter(isDecided).map(({ exchange }) => exchange));
  const all = new Set(exchanges.map(({ operation }) => operation)).size;
  const sets = (['operation', 'method', 'group'] as const).flatMap((attribute) => {
    const classes = Map.groupBy(exchanges, (exchange) => classOf(attribute, exchange));
    return [...classes.values()].map((own) => [...new Set(own.map(({ operation }) => operation ?? ''))].sort());
  });
  const distinct = new Map(sets.map((set) => [set.join(' '), set]));
  return [...distinct.values()].filter((set) => set.length < all);
}

/**
 * A request of another budget, as this budget sees it if it is counted here, too.
 *
 * @param failing whether failed requests certainly are
 */
function asForeign(event: Event, refused: boolean, failing: boolean): readonly Event[] {
  if (event.outcome === 'refused' && !refused) return [];
  return [chargedHere(event, isDecided(event) || (failing && event.outcome === 'failed'))];
}
