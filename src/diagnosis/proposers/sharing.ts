import type { Deviation } from '../../deployment/operators.ts';
import type { Event, History } from '../../oracle/history.ts';
import { toEvent } from '../../oracle/make-history.ts';
import { UNREADABLE } from '../../oracle/marker.ts';
import { budgetKey, type Exchange, type Kind } from '../../trace/exchange.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type Proposer, type SearchContext } from '../proposal.ts';
import { inOrder, merged, unclear, type World } from '../world.ts';

/** For each shared budget, the keys that use it. */
export type Blocks = readonly (readonly string[])[];

/** All keys, or all but one, use one budget. */
export function* proposeOneBudget(world: World, { kind, anonymous }: SearchContext): Iterable<Proposal> {
  const keys = severalKeys(world);
  const others = bitsOfRefusedUnknown(unknownIn(world.histories, anonymous));
  if (keys.length > 1) yield sharing(world, kind, [keys], 1 + others);
  // Blocks that are explained this way show which keys share a budget. There are none if something else is wrong, too.
  if (keys.length < 3 || keys.length > MOST_KEYS) return;
  for (const apart of keys) {
    const block = keys.filter((key) => key !== apart);
    yield sharing(world, kind, [block], bitsOfPartition(keys.length, [block]) + others);
  }
}

/** All keys use one budget, and so do requests without an accepted key: they are counted before the key is checked. */
export function* proposeBudgetOfAnyone(world: World, { kind, anonymous }: SearchContext): Iterable<Proposal> {
  const keys = severalKeys(world).filter((key) => world.histories.some((each) => each.key === key && isUsed(each)));
  const together = joined(world, severalKeys(world));
  const unknown = anonymous.filter((each) => each.kind === kind && each.answered !== null);
  const isSeen = unknown.length > 0 || bitsOfRefusedUnknown(unknownIn(world.histories, anonymous)) > 0;
  if (keys.length < 2 || !together || !isSeen) return;
  yield {
    deviations: [{ operator: 'shared-keys', parameters: { kinds: [kind], blocks: [keys], anyone: true } }],
    bits: DEVIATION_BITS + 2,
    world: {
      ...world,
      histories: [{ ...together, events: inOrder([...together.events, ...unknown.map(decidedHere)]) }],
    },
  };
}

/** A request without an accepted key, as a limit decides on it that comes before the key is checked. */
export function asDecided(exchange: Exchange): Event {
  return { ...toEvent(exchange, UNREADABLE), outcome: exchange.status === 429 ? 'refused' : 'accepted' };
}

/**
 * The same without its headers. What refuses it may count more than these requests, as those that only look at what is
 * there.
 */
function decidedHere(exchange: Exchange): Event {
  const event = asDecided(exchange);
  return event.outcome === 'refused' ? unclear(event) : { ...unclear(event), outcome: event.outcome };
}

/** The answered requests without an accepted key: some resemble a key, and stand among those of its budget. */
export function unknownIn(histories: readonly History[], anonymous: readonly Exchange[]): readonly Exchange[] {
  const all = [...anonymous, ...histories.flatMap(({ events }) => events.map(({ exchange }) => exchange))];
  return all.filter((each) => budgetKey(each) === null && each.answered !== null);
}

/**
 * Bits for what refuses requests without an accepted key: it takes a second deviation to explain, unless they draw on
 * the same budget or limit.
 */
export function bitsOfRefusedUnknown(unknown: readonly Exchange[]): number {
  return unknown.some(({ status }) => status === 429) ? DEVIATION_BITS : 0;
}

/** Whether a key was accepted: what resembles one has a history, too, where it was not answered 401. */
function isUsed({ events }: History): boolean {
  return events.some(({ exchange }) => budgetKey(exchange) !== null);
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
export function bitsOfPartition(keys: number, blocks: Blocks): number {
  const joins = blocks.flat().length - blocks.length;
  return bitsOfNumber(joins - 1) + Math.log2(waysToDivide(keys, keys - joins));
}

/** In how many ways n keys can be divided into m budgets (Stirling 1730). */
function waysToDivide(n: number, m: number): number {
  let ways = [1];
  for (let keys = 1; keys <= n; keys++) {
    const fewer = ways;
    ways = Array.from({ length: keys + 1 }, (_, at) => (fewer[at - 1] ?? 0) + at * (fewer[at] ?? 0));
  }
  return ways[m] ?? 0;
}

/** The keys, if each has one history. */
export function severalKeys({ histories }: World): readonly string[] {
  const keys = histories.map(({ key }) => key);
  return new Set(keys).size < keys.length ? [] : keys;
}

/** Budgets that are shared as those of the other kind are, which these deviations explain. */
export function sharedLike(world: World, kind: Kind, others: readonly (readonly Deviation[])[]): readonly Proposal[] {
  const keys = severalKeys(world);
  return others.flat().flatMap(({ operator, parameters }) => {
    const blocks = operator === 'shared-keys' && !parameters.only && !parameters.anyone ? parameters.blocks : [];
    if (typeof blocks === 'string' || blocks.length === 0 || !blocks.flat().every((key) => keys.includes(key)))
      return [];
    return [sharing(world, kind, blocks, bitsOfPartition(keys.length, blocks))];
  });
}

export function joined({ histories }: World, block: readonly string[]): History | null {
  const own = histories.filter(({ key }) => block.includes(key));
  return merged(own, block.join(' and '));
}

export function sharing(world: World, kind: Kind, blocks: Blocks, bits: number): Proposal {
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
export const MOST_KEYS = 8;

/** All subsets, each in order, small ones first. */
function subsetsOf(keys: readonly string[]): Blocks {
  const all = Array.from({ length: 2 ** keys.length }, (_, which) => keys.filter((_, at) => which & (1 << at)));
  return all.sort((one, other) => one.length - other.length);
}
