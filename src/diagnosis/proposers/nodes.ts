import type { Split } from '../../deployment/deviations/nodes-apart.ts';
import type { Event, History, Outcome } from '../../oracle/history.ts';
import type { Shape } from '../../oracle/shapes.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { inOrder, unclear, type World } from '../world.ts';
import { arrivalRanks, type Rank } from './arrivals.ts';
import { shapesBy } from './drops.ts';
import { mended } from './mended.ts';
import type { NodeLimiter } from './node-count.ts';
import { type Asked, type Routing, route } from './route.ts';
import { cheapestRouting, type RoutedCrowd } from './routing.ts';
import { SPLIT_BITS, splitsOf } from './split-limit.ts';

/** The numbers of nodes to try, and the bits to state which. */
const NODES = [2, 3, 4];
const NODES_BITS = 2;

/** The most requests of which it stays open which node they reached, because the assignment contradicts them. */
const MOST_OPEN = 12;

const ROUTINGS: readonly Routing[] = ['in turn', 'by connection'];

/**
 * Nodes that count separately and never exchange counts: each answer states what its own node has left. Requests that
 * were under way at the same time may have reached the nodes in any order, so only how many reached each is stated.
 */
export function* proposeNodes(world: World, context: SearchContext): Iterable<Proposal> {
  const { kind, work, isDear = () => false } = context;
  const { window } = world;
  const events = world.histories.flatMap((history) => history.events);
  if (!events.some(({ remaining }) => remaining !== null)) return;
  // No answer shows what another budget's requests add to a node or give back.
  if (!events.every(({ outcome }) => ROUTED.has(outcome))) return;
  const ranks = arrivalRanks([world.histories, context.otherKind], tells);
  const plain: Proposal[] = [];
  for (const { nodes, split, bits, world: seen } of NODES.flatMap((nodes) => seenBy(nodes, world))) {
    for (const { shapes, ...counting } of familiesOf(seen)) {
      const ways = ROUTINGS.flatMap((routing) => {
        const asked = { nodes, limiter: { ...counting, window }, routing, work };
        const way = routeAll(seen, asked, ranks, (more) => isDear(bits + more));
        return way ?? [];
      });
      for (const way of ways.sort((one, other) => one.bits - other.bits)) {
        const parameters = { kinds: [kind], nodes, sync: null, routing: way.routing, ...(split && { split }) };
        const proposal: Proposal = {
          deviations: [{ operator: 'nodes-apart', parameters }],
          bits: bits + way.bits,
          world: {
            ...seen,
            shapes,
            histories: seen.histories.flatMap((history, at) => apart(history, way.crowds[at] ?? [], nodes)),
          },
        };
        yield proposal;
        plain.push(proposal);
      }
    }
  }
  // To repair an assignment takes more work than to find one, so all are tried as they are first.
  for (const { world: routed, bits, ...proposal } of plain) {
    const better = mended(routed, MOST_OPEN, context);
    if (better) yield { ...proposal, bits: bits + better.open.size * Math.log2(events.length), world: better.world };
  }
}

/** A world as so many nodes see it, each with the whole limit or with its share, and the bits to state both. */
interface SeenByNodes {
  readonly nodes: number;
  readonly split: Split | null;
  readonly bits: number;
  readonly world: World;
}

/** If what is told may be what is left of shares, no node had the whole limit left, not even the first time. */
function seenBy(nodes: number, world: World): readonly SeenByNodes[] {
  const bits = DEVIATION_BITS + NODES_BITS;
  const splits = splitsOf(world, nodes).map((each) => ({ ...each, nodes, bits: bits + SPLIT_BITS }));
  return splits.length > 0 ? splits : [{ nodes, split: null, bits, world }];
}

/** Mechanisms that count alike, as far as nodes are concerned. */
interface Family extends Omit<NodeLimiter, 'window'> {
  readonly shapes: readonly Shape[];
}

/**
 * The mechanisms of a world in families. In a log, each request leaves at a time that depends on the clock; where
 * requests leave with their window, refusals come after the last one that is let through, so it does not matter if they
 * are counted.
 */
function familiesOf(world: World): readonly Family[] {
  return shapesBy(world).flatMap(({ leaving, shapes }) => {
    const families = Map.groupBy(shapes, ({ lag, refusedCounted }) =>
      JSON.stringify([leaving === 'one by one' && lag, leaving !== 'with the window' && refusedCounted]),
    );
    return [...families.values()].flatMap((alike) => {
      const [first] = alike;
      if (!first) return [];
      const { lag, refusedCounted } = first;
      return [{ leaving, lag: leaving === 'one by one' ? lag : 0, refusedCounted, shapes: alike }];
    });
  });
}

/** The nodes that the requests of each budget reached, by which rule, and the bits to state them. */
interface Way extends ReturnType<typeof cheapestRouting> {
  readonly crowds: readonly (readonly RoutedCrowd[])[];
}

/**
 * The nodes that the requests of each budget reached; null if there are not that many, or if they take too many bits.
 * Further budgets only add bits, so the first one that exceeds the bound ends the search.
 */
function routeAll(
  { histories }: World,
  asked: Asked,
  ranks: readonly Rank[],
  isDear: (bits: number) => boolean,
): Way | null {
  const crowds: (readonly RoutedCrowd[])[] = [];
  let rule = cheapestRouting(crowds, asked.nodes, ranks);
  for (const history of histories) {
    const own = route(history, history.events.filter(tells), asked);
    if (!own) return null;
    crowds.push(own);
    rule = cheapestRouting(crowds, asked.nodes, ranks);
    if (isDear(rule.bits)) return null;
  }
  return { crowds, ...rule };
}

/** What each node saw of a budget. Requests whose answers show nothing may have reached any node. */
function apart(history: History, crowds: readonly RoutedCrowd[], nodes: number): readonly History[] {
  const open = history.events.filter((event) => !tells(event)).map(unclear);
  return Array.from({ length: nodes }, (_, at) => {
    const own = crowds.flat().flatMap(({ event, node }) => (node === at ? [event] : []));
    return { ...history, key: `${history.key} ${at + 1}`, events: own.length > 0 ? inOrder([...own, ...open]) : [] };
  }).filter(({ events }) => events.length > 0);
}

/** Whether an answer can show its node. */
function tells({ outcome, remaining, reset }: Event): boolean {
  return outcome === 'refused' || (ROUTED.has(outcome) && (remaining ?? reset) !== null);
}

/** Outcomes of requests that reached some node and whose answers, if anything does, show which. */
const ROUTED: ReadonlySet<Outcome> = new Set(['accepted', 'refused', 'failed', 'uncounted', 'doubtful', 'unclear']);
