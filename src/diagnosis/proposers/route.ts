import type { Event, History } from '../../oracle/history.ts';
import { together } from '../../oracle/together.ts';
import type { Work } from '../../oracle/work.ts';
import { NodeCount, type NodeLimiter, OF_ANOTHER, SAME_MARKER, TOO_MUCH_LEFT } from './node-count.ts';
import type { Routed, RoutedCrowd } from './routing.ts';

/**
 * To which node a request is assigned, if several nodes would have given the same answer. By connection, all requests
 * of a connection reach the same node, whatever their answers.
 */
export type Routing = 'in turn' | 'by connection';

/** The number of nodes, and their kind. */
export interface Asked {
  readonly nodes: number;
  readonly limiter: NodeLimiter;
  readonly routing: Routing;
  readonly work: Work;
}

/** One assignment of requests to nodes. */
interface Way {
  readonly nodes: readonly NodeCount[];
  /** How many requests are missing, or have answers that no node can have given. */
  readonly far: number;
  readonly routed: Came | null;
  /** The nodes of connections on which further requests come. */
  readonly homes: ReadonlyMap<number, number>;
}

/** A request that reached a node, and those before it. */
interface Came extends Routed {
  readonly before: Came | null;
}

/** The most assignments that are followed at the same time: the ones with the fewest missing requests. */
const MOST_WAYS = 8;

/**
 * The same if connections stay with a node: only later requests show which one it is. Four new connections at two nodes
 * or at three, of which one is as good as another, are at most this many ways.
 */
const MOST_WAYS_BY_CONNECTION = 32;

/** Comparing a request with a node counts as this many events of work. */
const WORK_OF_STEP = 4;

/** If this many answers fit no node, there are not that many nodes. */
const MOST_IMPOSSIBLE = 8;

/** Nor if answers lack so many requests that were counted: as many as that many answers of other nodes are worth. */
const MOST_MISSING = MOST_IMPOSSIBLE * OF_ANOTHER;

/**
 * The node that each request of a budget reached, according to the answers. Requests under way at the same time may
 * have arrived in any order.
 *
 * @param told the events whose answers show anything, in order of `from`
 * @returns null if no node can have given some answers, or not that many nodes
 */
export function route(
  history: History,
  told: readonly Event[],
  { nodes, limiter, routing, work }: Asked,
): readonly RoutedCrowd[] | null {
  const empty = NodeCount.empty(history, limiter);
  let ways: readonly Way[] = [
    { nodes: Array.from({ length: nodes }, () => empty), far: 0, routed: null, homes: new Map() },
  ];
  const lasts = routing === 'by connection' ? lastsOf(told) : new Map<number, Event>();
  const most = lasts.size > 0 ? MOST_WAYS_BY_CONNECTION : MOST_WAYS;
  const crowds = together(told);
  const fits = (event: Event): boolean => ways[0]?.nodes.some((node) => node.distance(event) === 0) ?? false;
  for (const crowd of crowds) {
    for (const event of asDecided(crowd, work, fits)) {
      work.spend(WORK_OF_STEP * ways.length * nodes);
      ways = nearest(
        ways.flatMap((way) => steps(way, event, lasts)),
        event,
        most,
      );
      if (ways.every(isFar)) return null;
    }
    ways = ways.map((way) => ({ ...way, nodes: way.nodes.map((node) => node.settled()) }));
  }
  const all: Routed[] = [];
  for (let came = ways[0]?.routed ?? null; came; came = came.before) all.push(came);
  const of = new Map(all.map((routed) => [routed.event, routed]));
  return crowds.map((crowd) => crowd.flatMap((event) => of.get(event) ?? []));
}

/** Whether an assignment is surely wrong, because too many answers fit no node, or too many requests are missing. */
function isFar({ far }: Way): boolean {
  return far > MOST_IMPOSSIBLE * TOO_MUCH_LEFT || far % TOO_MUCH_LEFT > MOST_MISSING;
}

/**
 * Requests in a possible order of decision: among requests of which none was sent after another's answer, by window,
 * then highest Remaining first. If others wait for an answer, they may have more left: then those come first that some
 * node has just as many left for.
 *
 * @param fits whether some node has just as many left, as far as it is known
 */
function* asDecided(crowd: readonly Event[], work: Work, fits: (event: Event) => boolean): Iterable<Event> {
  const left = ({ outcome, remaining }: Event): number => (outcome === 'refused' ? -1 : (remaining ?? 0));
  const rest = new Set(crowd);
  while (rest.size > 0) {
    work.spend(rest.size / 8);
    let until = Number.POSITIVE_INFINITY;
    for (const { to } of rest) until = Math.min(until, to);
    let end = Number.POSITIVE_INFINITY;
    for (const { from, reset } of rest) if (from <= until) end = Math.min(end, reset ?? end);
    const isLater = ({ reset }: Event): boolean => reset !== null && reset > end + SAME_MARKER;
    const before = (one: Event, other: Event): number =>
      Number(isLater(one)) - Number(isLater(other)) || left(other) - left(one) || one.to - other.to;
    const next = [...rest].filter(({ from }) => from <= until);
    const othersWait = next.length < rest.size;
    const fitting = othersWait
      ? next.sort(before).find((event) => {
          work.spend(WORK_OF_STEP);
          return fits(event);
        })
      : null;
    const chosen = fitting ?? next.reduce((one, other) => (before(other, one) < 0 ? other : one));
    rest.delete(chosen);
    yield chosen;
  }
}

/** The last request of each connection that carries several. */
function lastsOf(told: readonly Event[]): ReadonlyMap<number, Event> {
  const lasts = new Map<number, Event>();
  const several = new Set<number>();
  for (const event of told) {
    const { connection } = event.exchange;
    if (lasts.has(connection)) several.add(connection);
    lasts.set(connection, event);
  }
  return new Map([...lasts].filter(([connection]) => several.has(connection)));
}

/** One way to continue an assignment: the node of the next request. */
interface Step extends Omit<Routed, 'event'> {
  readonly way: Way;
  readonly far: number;
  readonly homes: ReadonlyMap<number, number>;
}

/**
 * The ways to assign a request. Among nodes with the same count that would give the same answer, only the one that was
 * not used for longest, unless further requests of the connection follow it there.
 */
function steps(way: Way, event: Event, lasts: ReadonlyMap<number, Event>): readonly Step[] {
  const { connection } = event.exchange;
  const last = lasts.get(connection);
  const home = way.homes.get(connection);
  const ranks = way.nodes.flatMap((each, node) => {
    if (home !== undefined && node !== home) return [];
    const { last } = each;
    const between = last?.reset == null || event.reset === null ? 0 : Math.abs(event.reset - last.reset);
    const used = last?.from ?? Number.NEGATIVE_INFINITY;
    return [{ node, distance: each.distance(event), between, used }];
  });
  ranks.sort((one, other) => one.distance - other.distance || one.between - other.between || one.used - other.used);
  const [first] = ranks;
  if (last && home === undefined) {
    return ranks.map(({ node, distance }) => {
      const homes = new Map([...way.homes, [connection, node] as const]);
      return { way, node, far: way.far + distance, alike: 1, homes };
    });
  }
  const homes = last === event ? without(way.homes, connection) : way.homes;
  const alike = ranks.filter(({ distance, between }) => distance === first?.distance && between === first.between);
  const counts = alike.map(({ node }) => way.nodes[node]?.signature);
  const different = alike.filter((_, at) => counts.indexOf(counts[at]) === at);
  return [...different, ...ranks.slice(alike.length)].map(({ node, distance }, index) => ({
    way,
    node,
    far: way.far + distance,
    alike: index < different.length ? alike.length : 1,
    homes,
  }));
}

function without(homes: ReadonlyMap<number, number>, connection: number): ReadonlyMap<number, number> {
  return new Map([...homes].filter(([each]) => each !== connection));
}

/** The best assignments after a request, each kind once. */
function nearest(all: readonly Step[], event: Event, most: number): readonly Way[] {
  const found = new Map<string, Way>();
  for (const { way, node, far, alike, homes } of [...all].sort((one, other) => one.far - other.far)) {
    const nodes = way.nodes.map((each, at) => (at === node ? each.with(event) : each));
    const homesAt = nodes.map(() => '');
    for (const [of, home] of homes) homesAt[home] += ` ${of}`;
    const signature = nodes
      .map((each, at) => each.signature + homesAt[at])
      .sort()
      .join();
    if (found.has(signature)) continue;
    found.set(signature, { nodes, far, routed: { event, node, alike, before: way.routed }, homes });
    if (found.size >= most) break;
  }
  return [...found.values()];
}
