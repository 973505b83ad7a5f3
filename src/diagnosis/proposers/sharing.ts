import type { Event, History } from '../../oracle/history.ts';
import type { Kind } from '../../trace/exchange.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type Proposer, type SearchContext } from '../proposal.ts';
import { isDecided, merged, type World } from '../world.ts';
import { alsoCharged, chargedHere } from './charged.ts';

/** Keys that draw on one budget together, for each such budget. */
type Blocks = readonly (readonly string[])[];

/** All keys draw on one budget, or all but one. */
export function* proposeOneBudget(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const keys = severalKeys(world);
  if (keys.length > 1) yield sharing(world, kind, [keys], 1);
  // Which keys share a budget is else told by those blocks that are explained so: none is where something else is wrong, too.
  if (keys.length < 3) return;
  for (const apart of keys) {
    const block = keys.filter((key) => key !== apart);
    yield sharing(world, kind, [block], bitsOfPartition(keys.length, [block]));
  }
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
      const blocks = sharedBlocks(keys, (block) => {
        const together = joined(world, block);
        return together !== null && fitter.fit({ ...world, histories: [together], shapes }) !== null;
      });
      for (const found of blocks) yield sharing(world, kind, found, bitsOfPartition(keys.length, found));
    },
);

/** Bits to say which keys share budgets: how often one is joined with another, and which of the ways to divide all keys so it is. */
function bitsOfPartition(keys: number, blocks: Blocks): number {
  const joins = blocks.flat().length - blocks.length;
  return bitsOfNumber(joins - 1) + Math.log2(waysToDivide(keys, keys - joins));
}

/** In how many ways n keys can be divided into m budgets (Stirling 1730). */
function waysToDivide(n: number, m: number): number {
  if (m <= 0 || m > n) return n === m ? 1 : 0;
  return waysToDivide(n - 1, m - 1) + m * waysToDivide(n - 1, m);
}

/** The keys, where each has one history. */
function severalKeys({ histories }: World): readonly string[] {
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
 * The keys that share budgets, those of one together: first no key that `isOne` says has its own, and as few as can be that it can make nothing of. Where
 * these are not all, one that is used so little that it is explained alone as well may be their partner: then the fewest keys that have to be joined.
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
  /** Blocks that take in all of `open`, whose keys are joined so many times at most. */
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

/** So many keys are joined with one to a budget where any of them is explained alone as well: of more, too much would have to be tried. */
const MOST_PARTNERS = 3;

/** Of more keys there are more ways to divide them than can be tried. */
const MOST_KEYS = 8;

/** All subsets, each in order, small ones first. */
function subsetsOf(keys: readonly string[]): Blocks {
  const all = Array.from({ length: 2 ** keys.length }, (_, which) => keys.filter((_, at) => which & (1 << at)));
  return all.sort((one, other) => one.length - other.length);
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

/** What a request of another budget is to this one, were it counted here too. */
function asForeign(event: Event, refused: boolean): readonly Event[] {
  if (event.outcome === 'refused' && !refused) return [];
  return [chargedHere(event, isDecided(event))];
}
