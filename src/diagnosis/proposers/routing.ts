import type { Event } from '../../oracle/history.ts';
import { bitsOfNumber, bitsToChoose } from '../proposal.ts';

/** A request, and the node that it came to. */
export interface Routed {
  readonly event: Event;
  readonly node: number;
  /** How many nodes would have told the same. */
  readonly alike: number;
}

/** Requests that were under way together, which may have come in any order: only how many came to each node is said of them. */
export type RoutedCrowd = readonly Routed[];

/** Bits to say which way of routing it is. */
const WAY_BITS = 2;

/**
 * Bits to say to which nodes requests came: by chance, each in turn, or those of a connection to the same one.
 *
 * @param budgets the crowds of each budget, in order of time
 * @param ranks how many requests had come before one: of these budgets, of all that came to the nodes
 */
export function bitsOfRouting(
  budgets: readonly (readonly RoutedCrowd[])[],
  nodes: number,
  ranks: readonly ((event: Event) => number)[],
): number {
  const ways = [
    budgets.flat().reduce((sum, crowd) => sum + bitsByChance(crowd, nodes), 0),
    ...ranks.map((rank) => bitsInTurn(budgets, nodes, rank)),
    bitsByConnection(budgets, nodes),
  ];
  return WAY_BITS + Math.min(...ways);
}

function sharesOf(crowd: RoutedCrowd, nodes: number): readonly number[] {
  return Array.from({ length: nodes }, (_, at) => crowd.filter(({ node }) => node === at).length);
}

/** Bits to say to which nodes requests came, where each is as likely; to which of those that would have told the same need not be said. */
function bitsByChance(crowd: RoutedCrowd, nodes: number): number {
  const [first] = crowd;
  return first && crowd.length === 1 ? Math.log2(nodes / first.alike) : bitsOfShare(sharesOf(crowd, nodes));
}

/** Bits to say how many of some requests came to each node, where each is as likely. */
function bitsOfShare(share: readonly number[]): number {
  let rest = sumOf(share);
  let bits = rest * Math.log2(share.length);
  for (const count of share) {
    bits -= bitsToChoose(rest, count);
    rest -= count;
  }
  return bits;
}

/** Each comes to the node after that of the one before, as often as so far. */
function bitsInTurn(
  budgets: readonly (readonly RoutedCrowd[])[],
  nodes: number,
  rank: (event: Event) => number,
): number {
  const steps = new Seen(nodes);
  let bits = 0;
  for (const crowds of budgets) {
    let last: Routed | null = null;
    for (const crowd of crowds) {
      const ahead = ({ event }: Routed): number =>
        mod((last?.node ?? 0) + rank(event) - (last ? rank(last.event) : 0), nodes);
      const [first] = crowd;
      if (first && crowd.length === 1) {
        bits += last ? steps.bits(mod(first.node - ahead(first), nodes)) : Math.log2(nodes);
        last = first;
        continue;
      }
      const share = sharesOf(crowd, nodes);
      const expected = sharesOf(
        crowd.map((each) => ({ ...each, node: ahead(each) })),
        nodes,
      );
      bits += sumOf(share.slice(1).map((count, at) => bitsOfNumber(count - (expected[at + 1] ?? 0))));
    }
  }
  return bits;
}

function mod(n: number, of: number): number {
  return ((n % of) + of) % of;
}

/** Those of a connection come to the node that its first came to, as often as so far. */
function bitsByConnection(budgets: readonly (readonly RoutedCrowd[])[], nodes: number): number {
  const agree = new Seen(2);
  let bits = 0;
  for (const crowds of budgets) {
    const known = new Map<number, number>();
    for (const crowd of crowds) {
      const fresh = crowd.filter(({ event }) => !known.has(event.exchange.connection));
      bits += bitsOfShare(sharesOf(fresh, nodes));
      for (const { event, node } of crowd) {
        const { connection } = event.exchange;
        const before = known.get(connection);
        if (before === undefined) known.set(connection, node);
        else bits += agree.bits(Number(before !== node)) + (before === node ? 0 : Math.log2(nodes));
      }
    }
  }
  return bits;
}

/** What has been seen so far of a few things, each of which is expected as often as it was seen (Krichevsky and Trofimov 1981). */
class Seen {
  readonly #counts: number[];

  constructor(things: number) {
    this.#counts = Array.from({ length: things }, () => 1 / 2);
  }

  /** Bits to say that it is this one now, which counts from then on. */
  bits(thing: number): number {
    const count = this.#counts[thing] ?? 0;
    const bits = Math.log2(sumOf(this.#counts) / count);
    this.#counts[thing] = count + 1;
    return bits;
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
