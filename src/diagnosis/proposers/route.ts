import type { Event, History } from '../../oracle/history.ts';
import { together } from '../../oracle/together.ts';
import type { Work } from '../../oracle/work.ts';
import { NodeCount, type NodeLimiter, SAME_MARKER, TOO_MUCH_LEFT } from './node-count.ts';
import type { Routed, RoutedCrowd } from './routing.ts';

/** To which of the nodes a request is taken to have come that would have told the same. */
export type Routing = 'in turn' | 'by connection';

/** How many nodes it is to be, and of which kind. */
export interface Asked {
  readonly nodes: number;
  readonly limiter: NodeLimiter;
  readonly routing: Routing;
  readonly work: Work;
}

/** One way in which requests may have come to nodes. */
interface Way {
  readonly nodes: readonly NodeCount[];
  /** How many requests are missing, or told what no node can have told, in requests. */
  readonly far: number;
  readonly routed: Came | null;
}

/** A request that came to a node, and those that came before it. */
interface Came extends Routed {
  readonly before: Came | null;
}

/** So many ways are looked at beside each other: those from which least is missing. */
const MOST_WAYS = 8;

/** To hold a request against a node takes as long as to look at so many events. */
const WORK_OF_STEP = 4;

/** Where so many answers can be those of no node, there are not so many nodes. */
const MOST_IMPOSSIBLE = 8;

/**
 * Which node each request of a budget came to, by what the answers tell: requests that were under way together may have come in any order.
 *
 * @param told the events that tell anything, in order of `from`
 * @returns null where no node can have told what answers told, or not by so many nodes
 */
export function route(
  history: History,
  told: readonly Event[],
  { nodes, limiter, routing, work }: Asked,
): readonly RoutedCrowd[] | null {
  const empty = NodeCount.empty(history, limiter);
  let ways: readonly Way[] = [{ nodes: Array.from({ length: nodes }, () => empty), far: 0, routed: null }];
  const crowds = together(told);
  for (const crowd of crowds) {
    for (const event of asDecided(crowd, work)) {
      work.spend(WORK_OF_STEP * ways.length * nodes);
      ways = nearest(
        ways.flatMap((way) => steps(way, event, routing)),
        event,
      );
      if ((ways[0]?.far ?? 0) > MOST_IMPOSSIBLE * TOO_MUCH_LEFT) return null;
    }
    ways = ways.map((way) => ({ ...way, nodes: way.nodes.map((node) => node.settled()) }));
  }
  const all: Routed[] = [];
  for (let came = ways[0]?.routed ?? null; came; came = came.before) all.push(came);
  const of = new Map(all.map((routed) => [routed.event, routed]));
  return crowds.map((crowd) => crowd.flatMap((event) => of.get(event) ?? []));
}

/** Requests in an order in which nodes can have decided them: of those of which none was sent after another's answer, by window, and what is left most first. */
function* asDecided(crowd: readonly Event[], work: Work): Iterable<Event> {
  const left = ({ outcome, remaining }: Event): number => (outcome === 'refused' ? -1 : (remaining ?? 0));
  const rest = new Set(crowd);
  while (rest.size > 0) {
    work.spend(rest.size / 8);
    let until = Number.POSITIVE_INFINITY;
    for (const { to } of rest) until = Math.min(until, to);
    let end = Number.POSITIVE_INFINITY;
    for (const { from, reset } of rest) if (from <= until) end = Math.min(end, reset ?? end);
    let first: Event | null = null;
    for (const event of rest) {
      if (event.from > until || (event.reset !== null && event.reset > end + SAME_MARKER)) continue;
      if (!first || left(event) > left(first)) first = event;
    }
    if (!first) return;
    rest.delete(first);
    yield first;
  }
}

/** A way to go on with a request: to which node. */
interface Step extends Omit<Routed, 'event'> {
  readonly way: Way;
  readonly far: number;
}

/** The ways to go on with a request, those of nodes that would tell the same once: to the one that fits how requests are routed. */
function steps(way: Way, event: Event, routing: Routing): readonly Step[] {
  const ranks = way.nodes.map((each, node) => {
    const { last } = each;
    const between = last?.reset == null || event.reset === null ? 0 : Math.abs(event.reset - last.reset);
    const apart = routing === 'in turn' || last?.exchange.connection === event.exchange.connection ? 0 : 1;
    const used = last?.from ?? Number.NEGATIVE_INFINITY;
    return { node, distance: each.distance(event), between, apart, used };
  });
  ranks.sort(
    (one, other) =>
      one.distance - other.distance || one.between - other.between || one.apart - other.apart || one.used - other.used,
  );
  const [first] = ranks;
  const alike = ranks.filter(({ distance, between }) => distance === first?.distance && between === first.between);
  return [...alike.slice(0, 1), ...ranks.slice(alike.length)].map(({ node, distance }, index) => ({
    way,
    node,
    far: way.far + distance,
    alike: index === 0 ? alike.length : 1,
  }));
}

/** The nearest ways after a request, of those that are alike one. */
function nearest(all: readonly Step[], event: Event): readonly Way[] {
  const found = new Map<string, Way>();
  for (const { way, node, far, alike } of [...all].sort((one, other) => one.far - other.far)) {
    const nodes = way.nodes.map((each, at) => (at === node ? each.with(event) : each));
    const signature = nodes
      .map((each) => each.signature)
      .sort()
      .join();
    if (found.has(signature)) continue;
    found.set(signature, { nodes, far, routed: { event, node, alike, before: way.routed } });
    if (found.size >= MOST_WAYS) break;
  }
  return [...found.values()];
}
