import fc from 'fast-check';
import { expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import { verdictsOn } from '../../accuracy/virtual/situation.test-support.ts';
import type { Event, History } from '../../oracle/history.ts';
import { Work } from '../../oracle/work.ts';
import { seededRandom } from '../../random/random.ts';
import { hold } from '../explained.ts';
import { conformingWorld } from '../world.ts';
import { contextOf } from './context.test-support.ts';
import { foundBy, runOfDraw } from './deviating-world.test-support.ts';
import { NodeCount, TOO_MUCH_LEFT } from './node-count.ts';
import { proposeNodes } from './nodes.ts';

/**
 * Requests one after the other, each counted only by the node that it reached.
 *
 * @param failing those that fail at these indices, and are counted like the others
 */
function historyOf(
  routing: readonly number[],
  limit: number,
  connections = routing.map((_, at) => at),
  failing: ReadonlySet<number> = new Set(),
): History {
  const left = new Map<number, number>();
  const events = routing.map((node, at) => {
    const before = left.get(node) ?? limit;
    left.set(node, Math.max(0, before - 1));
    const outcome = before === 0 ? 'refused' : failing.has(at) ? 'failed' : 'accepted';
    const times = { from: at * 1000, to: at * 1000 + 500 };
    return {
      exchange: { seq: at, connection: connections[at] },
      ...times,
      outcome,
      group: outcome === 'failed' ? '400' : '',
      remaining: Math.max(0, before - 1),
      reset: null,
    };
  });
  const offset = { low: 0, high: 0 };
  return {
    ...{ key: 'key-1', kind: 'read', limit, shown: limit, unit: null, offset },
    ...{ events: events as unknown as readonly Event[], until: Number.POSITIVE_INFINITY },
  };
}

test('what each node told is put together, however requests come to them', () => {
  const routing = fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(routing, (nodes) => {
      const world = conformingWorld([historyOf(nodes, 20)]);
      const [found] = proposeNodes(world, contextOf('read'));
      for (const { events } of found?.world.histories ?? []) {
        const counted = events.filter(({ outcome }) => outcome === 'accepted').map(({ remaining }) => remaining);
        expect(counted).toEqual(counted.map((_, at) => 19 - at));
      }
      expect(found?.world.histories.flatMap(({ events }) => events)).toHaveLength(nodes.length);
    }),
  );
});

/** Requests a fifth of a millisecond apart, each of which takes up to four to arrive, and up to four to be answered. */
function crowdOf(seed: number): History {
  const random = seededRandom(seed);
  const sent = Array.from({ length: 40 }, (_, seq) => {
    const node = random() < 0.7 ? 0 : 1;
    const at = seq * 200 + Math.round(4000 * random() ** 3);
    return { seq, node, at, from: seq * 200, to: at + Math.round(4000 * random() ** 3) + 1 };
  });
  const left = [100, 100];
  const events = [...sent]
    .sort((one, other) => one.at - other.at)
    .map(({ seq, node, from, to }) => {
      left[node] = (left[node] ?? 0) - 1;
      const exchange = { seq, connection: seq };
      return { exchange, from, to, outcome: 'accepted', group: '', remaining: left[node], reset: null };
    });
  events.sort((one, other) => one.from - other.from);
  return { ...historyOf([], 100), events: events as unknown as readonly Event[] };
}

test('in a crowd, those that were answered first come first, where several had as much left', () => {
  for (const seed of [4, 30, 32, 33, 35, 37, 52, 53]) {
    const own = contextOf('read');
    const [found] = proposeNodes(conformingWorld([crowdOf(seed)]), own);
    expect(found && hold(found, own)).not.toBe(null);
  }
});

test('a request that failed is assigned to a node that counted it, where another one has as much left without it', () => {
  const request = fc.record({ node: fc.integer({ min: 0, max: 1 }), fails: fc.boolean() });
  fc.assert(
    fc.property(fc.array(request, { minLength: 1, maxLength: 40 }), (requests) => {
      const failing = new Set(requests.flatMap(({ fails }, at) => (fails ? [at] : [])));
      const routing = requests.map(({ node }) => node);
      const world = conformingWorld([historyOf(routing, 100, undefined, failing)]);
      const own = contextOf('read');
      const [found] = proposeNodes(world, own);
      expect(found && hold(found, own)).not.toBe(null);
    }),
  );
});

test('connections that stay with a node are followed, although only later answers show with which', () => {
  // Three connections begin at a time when each node has as much left as the others, so no answer shows which is whose.
  const homes = [0, 1, 2, 2, 0, 1];
  const requests = Array.from({ length: 120 }, (_, at) => (at < 6 ? at : (at * 5 + (at >> 3)) % 6));
  const history = historyOf(
    requests.map((connection) => homes[connection] ?? 0),
    60,
    requests,
  );
  const found = [...proposeNodes(conformingWorld([history]), contextOf('read'))];
  const exact = found.filter(({ deviations: [each], world }) => {
    const isBy = each?.operator === 'nodes-apart' && each.parameters.routing === 'by connection';
    return isBy && world.histories.every(({ events }) => events.every(({ remaining }, at) => remaining === 59 - at));
  });
  expect(exact.map(({ world }) => world.histories.length)).toContain(3);
});

test('a node begins no window while its last one lasts', () => {
  const { events, ...history } = historyOf([0, 0, 0, 0], 60);
  const [first, early, later, justBefore] = events.map((event, at) => ({ ...event, ...WINDOWS[at], remaining: 59 }));
  if (!first || !early || !later || !justBefore) throw new Error('there are four requests');
  const node = NodeCount.empty(
    { ...history, events },
    { leaving: 'with the window', lag: 0, window: 60_000_000, refusedCounted: false },
  );
  expect(node.with(first).distance(early)).toBeGreaterThanOrEqual(TOO_MUCH_LEFT);
  expect(node.with(first).distance(later)).toBeLessThan(1);
  // Nor does it refuse for one that has ended there.
  const refused = { ...early, outcome: 'refused', remaining: 0, reset: 30_000_000 } as const;
  expect(node.with(first).distance(refused)).toBeGreaterThanOrEqual(TOO_MUCH_LEFT);
  // Its clock may be a little ahead, but a node whose window has ended is likelier.
  const possible = node.with(first).distance(justBefore);
  expect(possible).toBeGreaterThan(node.with(first).distance(later));
  expect(possible).toBeLessThan(TOO_MUCH_LEFT);
});

const WINDOWS = [
  { from: 0, to: 1000, reset: 60_000_000 },
  { from: 5_000_000, to: 5_001_000, reset: 65_000_000 },
  { from: 61_000_000, to: 61_001_000, reset: 121_000_000 },
  { from: 59_000_000, to: 59_001_000, reset: 119_000_000 },
];

test('where Remaining tells nothing, nothing is said of nodes', () => {
  const history = historyOf([0, 1], 20);
  const silent = { ...history, events: history.events.map((event) => ({ ...event, remaining: null })) };
  expect([...proposeNodes(conformingWorld([silent]), contextOf('read'))]).toEqual([]);
});

thorough('nodes that are too dear are given up with the budget that makes them so, and others are as they were', () => {
  const noise = [0, 1, 1, 0, 1, 0, 0, 0, 1, 1, 0, 1];
  const history = historyOf(noise, 20);
  const world = conformingWorld(Array.from({ length: 20 }, () => history));
  const whole = [...proposeNodes(world, contextOf('read'))];
  const dearest = Math.max(...whole.map(({ bits }) => bits));
  const asked = (most: number) => {
    const work = new Work(Number.MAX_SAFE_INTEGER);
    const found = [...proposeNodes(world, { ...contextOf('read', work), isDear: (bits) => bits > most })];
    return { found, spent: Number.MAX_SAFE_INTEGER - work.left };
  };
  expect(asked(dearest).found).toEqual(whole);
  expect(asked(0).found).toEqual([]);
  expect(asked(0).spent).toBeLessThan(asked(dearest).spent / 10);
});

thorough('bursts at two nodes whose answers alternate are told apart, whichever answers come first', async () => {
  const [found] = foundBy(proposeNodes, 'read', await runOfDraw('nodes-apart', 292419));
  const parameters = { nodes: 2, sync: null, routing: 'by connection' };
  expect(found?.deviations).toMatchObject([{ operator: 'nodes-apart', parameters }]);
});

thorough('nodes with a sliding counter that counts what it refuses are told apart', async () => {
  const parameters = { kinds: ['read'], nodes: 2, sync: null, routing: 'in turn' } as const;
  const verdicts = await verdictsOn({
    mechanism: {
      ...{ name: 'counter', phase: 'process', rounding: 'floor', latch: false, reanchor: false },
      ...{ countRefused: true, reset: 'bucket' },
    },
    deviations: [{ operator: 'nodes-apart', parameters }],
    keys: 2,
    seed: 12,
  });
  const said = verdicts.filter(({ verdict }) => verdict === 'fail').map(({ id, summary }) => [id, summary]);
  expect(said).toContainEqual(['LIMIT-ATOMIC', 'The limiter runs on 2 nodes that count apart (reads only).']);
});
