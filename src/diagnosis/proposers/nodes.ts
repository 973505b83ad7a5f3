import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { inOrder, isDecided, unclear, type World } from '../world.ts';
import { crowdsIn } from './crowd.ts';

/** How many nodes are tried, and the bits to say which. */
const NODES = [2, 3, 4];
const NODES_BITS = 2;

/** Markers that lie no further apart, in µs, may be of one window: clocks and whole seconds move them. */
const SAME_MARKER = 2_000_000;

/** What one node has left of a budget, and the end of its window, as its last answer told. */
interface Node {
  left: number;
  marker: number | null;
  used: number;
  readonly events: Event[];
}

/**
 * Nodes that count apart in fixed windows and never tell each other: each answer tells what its own node has left. Requests that were under
 * way together may have come to the nodes in any order, so that only how many came to each is said.
 */
export function* proposeNodes(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  if (!world.histories.some(({ events }) => events.some(({ remaining }) => remaining !== null))) return;
  const shapes = world.shapes.filter(({ mechanism }) => mechanism === 'grid' || mechanism === 'anchored');
  const crowds = world.histories.flatMap(({ events }) => crowdsOf(events));
  const routing = crowds.reduce((sum, { length }) => sum + Math.log2(1 + length), 0);
  for (const nodes of NODES) {
    yield {
      deviations: [{ operator: 'nodes-apart', parameters: { kinds: [kind], nodes, sync: null, routing: 'at random' } }],
      bits: DEVIATION_BITS + NODES_BITS + (nodes - 1) * routing,
      world: { ...world, shapes, histories: world.histories.flatMap((history) => onNodes(history, nodes)) },
    };
  }
}

/** The decided requests that were under way together. */
function crowdsOf(events: readonly Event[]): readonly (readonly Event[])[] {
  return crowdsIn(events, new Set(events.filter(isDecided)), 0);
}

/** What each node saw of a budget; what was not decided may have come to any. */
function onNodes(history: History, nodes: number): readonly History[] {
  const all = Array.from({ length: nodes }, (): Node => ({ left: history.limit, marker: null, used: 0, events: [] }));
  for (const event of crowdsOf(history.events).flatMap(asDecided)) {
    const from = (node: Node): number => distance(node, event, history.limit);
    const node = all.reduce((one, other) => (from(other) < from(one) ? other : one));
    node.events.push(event);
    node.left = event.remaining ?? node.left;
    node.marker = event.reset;
    node.used = event.from;
  }
  const open = history.events.filter((event) => !isDecided(event)).map(unclear);
  return all
    .filter(({ events }) => events.length > 0)
    .map(({ events }, at) => ({ ...history, key: `${history.key} ${at + 1}`, events: inOrder([...events, ...open]) }));
}

/** Requests that were under way together in the order in which one node decides them: by its windows, and by what is left. */
function asDecided(crowd: readonly Event[]): readonly Event[] {
  const windows: Event[][] = [];
  let last = 0;
  for (const event of crowd.toSorted((one, other) => (one.reset ?? 0) - (other.reset ?? 0))) {
    if (windows.length === 0 || (event.reset ?? last) > last + SAME_MARKER) windows.push([]);
    windows.at(-1)?.push(event);
    last = event.reset ?? last;
  }
  const left = ({ outcome, remaining }: Event): number => (outcome === 'refused' ? -1 : (remaining ?? 0));
  return windows.flatMap((events) => events.toSorted((one, other) => left(other) - left(one)));
}

/**
 * How far an answer is from what this node would have told next, in requests; of nodes that are as near, the one with the nearest marker is
 * nearer, and then the one that was used longest ago.
 */
function distance({ left, marker, used }: Node, { outcome, remaining, reset }: Event, limit: number): number {
  const between = marker === null || reset === null ? 0 : reset - marker;
  const near = Math.abs(between) / (1000 * WINDOW) + used / (1e6 * WINDOW);
  if (outcome === 'refused') return left + near;
  const next = (remaining ?? left) + 1;
  const isNew = marker === null || reset === null ? next > left : between > SAME_MARKER;
  const whole = isNew ? limit : left;
  return next > whole || between < -SAME_MARKER ? NEVER : whole - next + (isNew ? TURN : 0) + near;
}

/** That a window has ended is less likely than that it goes on, where either may be. */
const TURN = 0.5;

/** A request cannot have come to this node: more are left than can be. */
const NEVER = 1e6;
