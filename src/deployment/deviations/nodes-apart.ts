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
}

const EVADES: readonly RequirementId[] = ['LIMIT-EVADE'];

/** A limit that holds on each node, and not on all together. */
export const nodesApart: Operator<'nodes-apart', NodesApart> = {
  id: 'nodes-apart',
  component: 'concurrency',
  breaks({ kinds, sync, routing }) {
    if (sync !== null) return ['LIMIT-ATOMIC'];
    // A key gets the limit on each node. If connections stay with a node, a new connection finds another budget.
    return ['LIMIT-ATOMIC', ...limitRequirements(kinds), ...(routing === 'by connection' ? EVADES : [])];
  },
  // Each node tells its own count, and the end of its own window. Of many, none may refuse.
  mayShow: ({ kinds, sync }) => (sync === null ? ['HDR-8', 'STATUS-429'] : ['HDR-8', ...limitRequirements(kinds)]),
  sentence({ kinds, nodes, sync, routing }) {
    const synced = sync === null ? '' : ` and tell each other every ${lengthText(sync)}`;
    const stays = routing === 'by connection' ? ', and each connection stays with one of them' : '';
    return `The limiter runs on ${nodes} nodes that count apart${synced}${stays}${onlyFor(kinds)}.`;
  },
  remedy: () =>
    'Usually each process keeps its counters in its own memory behind one load balancer, or falls back on it while the store is slow. Let all processes count in one store.',
  draw: (random) => ({
    kinds: drawKinds(random),
    nodes: pick(random, [2, 2, 3, 4]),
    sync: random() < 0.4 ? null : pick(random, [0.2, 1, 5]) * SECOND,
    routing: pick(random, ['in turn', 'at random', 'by connection']),
  }),
};
