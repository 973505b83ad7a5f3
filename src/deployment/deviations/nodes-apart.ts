import type { RequirementId } from '../../catalogue/requirement.ts';
import type { Kind } from '../../trace/exchange.ts';
import { SECOND } from '../deployment.ts';
import { drawKinds, lengthText, limitRequirements, type Operator, onlyFor, pick } from '../operator.ts';

/** Several nodes, each of which counts what it sees. */
export interface NodesApart {
  readonly kinds: readonly Kind[];
  readonly nodes: number;
  /** How often they tell each other what they have counted, in µs; null: never. */
  readonly sync: number | null;
  /** Which node a request comes to. */
  readonly routing: 'in turn' | 'at random' | 'by connection';
  /**
   * That each node has only its share of the limit, rounded down or up, and what Remaining tells: what is left on the
   * node that answers, or as many times that as there are nodes. Absent: each has the whole limit.
   */
  readonly split?: Split;
}

/** How a limit is split among nodes. */
export interface Split {
  readonly rounded: 'down' | 'up';
  readonly told: 'own' | 'times nodes';
}

const EVADES: readonly RequirementId[] = ['LIMIT-EVADE'];

/** A limit that holds on each node, and not on all together. */
export const nodesApart: Operator<'nodes-apart', NodesApart> = {
  id: 'nodes-apart',
  component: 'concurrency',
  breaks({ kinds, sync, routing, split }) {
    // No key gets more than the limit, but it is refused sooner.
    if (split) return limitRequirements(kinds);
    if (sync !== null) return ['LIMIT-ATOMIC'];
    // A key gets the limit on each node. If connections stay with a node, a new connection finds another budget.
    return ['LIMIT-ATOMIC', ...limitRequirements(kinds), ...(routing === 'by connection' ? EVADES : [])];
  },
  // Each node tells its own count, and the end of its own window. Of many, none may refuse.
  mayShow({ kinds, sync, split }) {
    if (split) return ['HDR-4', 'HDR-5', 'HDR-8', 'STATUS-429', 'LIMIT-ATOMIC', ...EVADES];
    return sync === null ? ['HDR-8', 'STATUS-429'] : ['HDR-8', ...limitRequirements(kinds)];
  },
  sentence({ kinds, nodes, sync, routing, split }) {
    const synced = sync === null ? '' : ` and tell each other every ${lengthText(sync)}`;
    const stays = routing === 'by connection' ? ', and each connection stays with one of them' : '';
    const share = split ? ', each with its share of the limit' : '';
    return `The limiter runs on ${nodes} nodes that count apart${share}${synced}${stays}${onlyFor(kinds)}.`;
  },
  remedy: () =>
    'Usually each process keeps its counters in its own memory behind one load balancer, or falls back on it while the store is slow. Let all processes count in one store.',
  draw(random) {
    const kinds = drawKinds(random);
    const nodes = pick(random, [2, 2, 3, 4]);
    const sync = random() < 0.4 ? null : pick(random, [0.2, 1, 5]) * SECOND;
    const routing = pick(random, ['in turn', 'at random', 'by connection'] as const);
    if (sync !== null || random() < 0.6) return { kinds, nodes, sync, routing };
    const split: Split = { rounded: pick(random, ['down', 'up']), told: pick(random, ['own', 'times nodes']) };
    return { kinds, nodes, sync, routing, split };
  },
};

/** The limit that holds on each node. */
export function shareOfNode(limit: number, nodes: number, { rounded }: Pick<Split, 'rounded'>): number {
  return rounded === 'down' ? Math.floor(limit / nodes) : Math.ceil(limit / nodes);
}

/** What Remaining tells when so many requests are left on a node that has its share of the limit. */
export function toldOfShare(left: number, limit: number, nodes: number, split: Split): number {
  return split.told === 'own' ? left : Math.max(0, limit - nodes * (shareOfNode(limit, nodes, split) - left));
}

/** How many requests are left on the node that tells this. The inverse of `toldOfShare`. */
export function leftOfShare(told: number, nodes: number, { rounded, told: how }: Split): number {
  if (how === 'own') return told;
  return rounded === 'down' ? Math.floor(told / nodes) : Math.ceil(told / nodes);
}
