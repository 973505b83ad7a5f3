import type { Event, History, Outcome } from '../../oracle/history.ts';
import type { Shape } from '../../oracle/shapes.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { inOrder, unclear, type World } from '../world.ts';
import { type Leaving, shapesBy } from './drops.ts';
import { type Asked, type Routing, route } from './route.ts';
import { bitsOfRouting, type RoutedCrowd } from './routing.ts';

/** How many nodes are tried, and the bits to say which. */
const NODES = [2, 3, 4];
const NODES_BITS = 2;

const ROUTINGS: readonly Routing[] = ['in turn', 'by connection'];

/**
 * Nodes that count apart and never tell each other: each answer tells what its own node has left. Requests that were under way together may
 * have come to the nodes in any order, so that only how many came to each is said.
 */
export function* proposeNodes(world: World, { kind, work }: SearchContext): Iterable<Proposal> {
  const { window } = world;
  const events = world.histories.flatMap((history) => history.events);
  if (!events.some(({ remaining }) => remaining !== null)) return;
  // What another budget's requests take off a node, or put back, no answer tells of.
  if (!events.every(({ outcome }) => ROUTED.has(outcome))) return;
  const ranks = [() => true, tells].map((which) => ranksOf(world, which));
  for (const { leaving, lag, shapes } of familiesOf(world)) {
    for (const nodes of NODES) {
      const ways = ROUTINGS.flatMap((routing) => {
        const crowds = routeAll(world, { nodes, limiter: { leaving, lag, window }, routing, work });
        return crowds ? [{ crowds, bits: bitsOfRouting(crowds, nodes, ranks) }] : [];
      });
      const [way] = ways.sort((one, other) => one.bits - other.bits);
      if (!way) continue;
      yield {
        deviations: [
          { operator: 'nodes-apart', parameters: { kinds: [kind], nodes, sync: null, routing: 'at random' } },
        ],
        bits: DEVIATION_BITS + NODES_BITS + way.bits,
        world: {
          ...world,
          shapes,
          histories: world.histories.flatMap((history, at) => apart(history, way.crowds[at] ?? [], nodes)),
        },
      };
    }
  }
}

/** Mechanisms that let go of what they have counted in one way, and how far their clocks may be off, in µs. */
interface Family {
  readonly leaving: Leaving;
  readonly lag: number;
  readonly shapes: readonly Shape[];
}

/** The mechanisms of a world: a log lets go of each request at a time that its clock tells. */
function familiesOf(world: World): readonly Family[] {
  return shapesBy(world).flatMap(({ leaving, shapes }) => {
    const lags = leaving === 'one by one' ? [...new Set(shapes.map(({ lag }) => lag))] : [0];
    return lags.map((lag) => ({
      leaving,
      lag,
      shapes: leaving === 'one by one' ? shapes.filter((shape) => shape.lag === lag) : shapes,
    }));
  });
}

/** The nodes to which the requests of each budget came; null where it is not so many. */
function routeAll({ histories }: World, asked: Asked): readonly (readonly RoutedCrowd[])[] | null {
  const budgets: (readonly RoutedCrowd[])[] = [];
  for (const history of histories) {
    const crowds = route(history, history.events.filter(tells), asked);
    if (!crowds) return null;
    budgets.push(crowds);
  }
  return budgets;
}

/** How many of certain requests came before each. */
function ranksOf({ histories }: World, which: (event: Event) => boolean): (event: Event) => number {
  const events = inOrder(histories.flatMap((history) => history.events.filter(which)));
  const ranks = new Map(events.map((event, at) => [event, at]));
  return (event) => ranks.get(event) ?? 0;
}

/** What each node saw of a budget; what tells nothing may have come to any. */
function apart(history: History, crowds: readonly RoutedCrowd[], nodes: number): readonly History[] {
  const open = history.events.filter((event) => !tells(event)).map(unclear);
  return Array.from({ length: nodes }, (_, at) => {
    const own = crowds.flat().flatMap(({ event, node }) => (node === at ? [event] : []));
    return { ...history, key: `${history.key} ${at + 1}`, events: own.length > 0 ? inOrder([...own, ...open]) : [] };
  }).filter(({ events }) => events.length > 0);
}

/** Whether an answer tells which node it is of. */
function tells({ outcome, remaining, reset }: Event): boolean {
  return outcome === 'refused' || (ROUTED.has(outcome) && (remaining ?? reset) !== null);
}

/** What came to some node, and is told of by its answer, if by anything. */
const ROUTED: ReadonlySet<Outcome> = new Set(['accepted', 'refused', 'failed', 'uncounted', 'doubtful', 'unclear']);
