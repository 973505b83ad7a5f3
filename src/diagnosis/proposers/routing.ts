import type { NodesApart } from '../../deployment/deviations/nodes-apart.ts';
import { modulo } from '../../deployment/modulo.ts';
import type { Event } from '../../oracle/history.ts';
import { bitsOfNumber, bitsToChoose, DEVIATION_BITS } from '../proposal.ts';
import { Seen } from '../seen.ts';
import type { Rank } from './arrivals.ts';

/** A request, and the node that it reached. */
export interface Routed {
  readonly event: Event;
  readonly node: number;
  /** How many nodes would have given the same answer. */
  readonly alike: number;
}

/**
 * Requests that were under way at the same time, so they may have arrived in any order: only how many reached each node
 * is stated.
 */
export type RoutedCrowd = readonly Routed[];

/**
 * Bits to state a rule that requests follow, and which of five. It says more than that nodes count apart, so it costs
 * as much as a deviation: where requests came by chance, some rule always seems to save a few bits.
 */
export const RULE_BITS = DEVIATION_BITS + Math.log2(5);

/** Bits to state that some nodes get more requests than others, as from one load balancer of four. */
const UNEVEN_BITS = 2;

/** How requests reach nodes, and the bits to state which. */
interface Rule {
  readonly routing: NodesApart['routing'];
  readonly bits: number;
}

/**
 * How requests reached their nodes: by chance, in turn, or by connection, where new connections may come in turn, too.
 * The cheapest rule, with the bits to state it and the nodes.
 *
 * @param budgets the groups of each budget, in order of time
 * @param ranks the orders in which they may have come
 */
export function cheapestRouting(
  budgets: readonly (readonly RoutedCrowd[])[],
  nodes: number,
  ranks: readonly Rank[],
): Rule {
  const evenly = budgets.flat().reduce((sum, crowd) => sum + bitsByChance(crowd, nodes), 0);
  const byChance = Math.min(evenly, UNEVEN_BITS + bitsByWeight(budgets, nodes));
  const rules: readonly Rule[] = [
    ...ranks.map((rank): Rule => ({ routing: 'in turn', bits: bitsInTurn(budgets, nodes, rank) })),
    { routing: 'by connection', bits: bitsByConnection(budgets, nodes) },
    { routing: 'by connection', bits: bitsInTurn(budgets, nodes, ({ exchange }) => exchange.connection) },
  ];
  const { routing, bits } = rules.reduce((one, other) => (other.bits < one.bits ? other : one));
  return byChance <= RULE_BITS + bits ? { routing: 'at random', bits: byChance } : { routing, bits: RULE_BITS + bits };
}

function sharesOf(crowd: RoutedCrowd, nodes: number): readonly number[] {
  return Array.from({ length: nodes }, (_, at) => crowd.filter(({ node }) => node === at).length);
}

/**
 * Bits to state which nodes requests reached if all are equally likely. Among nodes with the same answer, no choice is
 * stated.
 */
function bitsByChance(crowd: RoutedCrowd, nodes: number): number {
  const [first] = crowd;
  return first && crowd.length === 1 ? Math.log2(nodes / first.alike) : bitsOfShare(sharesOf(crowd, nodes));
}

/** Bits to state how many of some requests reached each node, if all are equally likely. */
function bitsOfShare(share: readonly number[]): number {
  return sumOf(share) * Math.log2(share.length) - bitsToDivide(share);
}

/** Bits to state which requests reached each node, if it is known how many did. */
function bitsToDivide(share: readonly number[]): number {
  let rest = sumOf(share);
  let bits = 0;
  for (const count of share) {
    bits += bitsToChoose(rest, count);
    rest -= count;
  }
  return bits;
}

/**
 * Bits to state which nodes requests reached if each is as likely as it was seen so far. Where all nodes are alike, as
 * when a window begins, no answer shows which is which: then the one that got most requests until the next such time is
 * the one that got most before.
 */
function bitsByWeight(budgets: readonly (readonly RoutedCrowd[])[], nodes: number): number {
  const seen = new Seen(nodes);
  let bits = 0;
  for (const part of budgets.flatMap((crowds) => partsOf(crowds, nodes))) {
    const known = part.filter(isTold);
    const share = sharesOf(known.flat(), nodes);
    const names = seen.mostFrequentFirst();
    const byShare = [...share.keys()].sort((one, other) => (share[other] ?? 0) - (share[one] ?? 0));
    for (const [at, node] of byShare.entries()) {
      const name = names[at] ?? node;
      for (let i = 0; i < (share[node] ?? 0); i += 1) bits += seen.bits(name);
    }
    bits -= sumOf(known.map((crowd) => bitsToDivide(sharesOf(crowd, nodes))));
    bits += sumOf(part.map((crowd) => (isTold(crowd) ? 0 : bitsByChance(crowd, nodes))));
  }
  return bits;
}

/** Whether answers tell which node each request reached, or how many of a crowd reached each. */
function isTold([first, ...more]: RoutedCrowd): boolean {
  return more.length > 0 || first?.alike === 1;
}

/** The crowds of a budget in parts, each of which begins with one of which some request found all nodes alike. */
function partsOf(crowds: readonly RoutedCrowd[], nodes: number): readonly (readonly RoutedCrowd[])[] {
  const parts: RoutedCrowd[][] = [];
  for (const crowd of crowds) {
    if (parts.length === 0 || crowd.some(({ alike }) => alike === nodes)) parts.push([]);
    parts.at(-1)?.push(crowd);
  }
  return parts;
}

/** Each request reaches the node after that of the one before, with the frequency seen so far. */
function bitsInTurn(budgets: readonly (readonly RoutedCrowd[])[], nodes: number, rank: Rank): number {
  const steps = new Seen(nodes);
  let bits = 0;
  for (const crowds of budgets) {
    let last: Routed | null = null;
    for (const crowd of crowds) {
      const ahead = ({ event }: Routed): number =>
        modulo((last?.node ?? 0) + rank(event) - (last ? rank(last.event) : 0), nodes);
      const [first] = crowd;
      // Where any node would have given the answer, it is the one whose turn it was.
      if (first && crowd.length === 1 && first.alike === nodes) continue;
      if (first && crowd.length === 1) {
        bits += last ? steps.bits(modulo(first.node - ahead(first), nodes)) : Math.log2(nodes);
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

/** Requests on a connection reach the node of its first one, with the frequency seen so far. */
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

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
