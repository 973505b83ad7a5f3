import { expect, test } from 'vitest';
import type { Event } from '../../oracle/history.ts';
import { seededRandom } from '../../random/random.ts';
import { cheapestRouting, type Routed } from './routing.ts';

const routed = (at: number, node: number, connection: number): Routed => ({
  event: { from: at, exchange: { connection } } as Event,
  node,
  alike: 1,
});
const rank = ({ from }: Event): number => from;

/** The rule for sixty single requests, one after the other, at three nodes. */
const ruleOf = (nodeOf: (at: number) => number, connectionOf: (at: number) => number) =>
  cheapestRouting([Array.from({ length: 60 }, (_, at) => [routed(at, nodeOf(at), connectionOf(at))])], 3, [rank]);

test('requests that come to nodes by a rule take few bits, and by chance as many as there are', () => {
  const random = seededRandom(5);
  const chance = Array.from({ length: 60 }, () => Math.floor(random() * 3));
  expect(
    ruleOf(
      (at) => at % 3,
      () => 1,
    ).bits,
  ).toBeLessThan(24);
  expect(
    ruleOf(
      (at) => (at >> 2) % 3,
      (at) => at >> 2,
    ).bits,
  ).toBeLessThan(52);
  expect(
    ruleOf(
      (at) => chance[at] ?? 0,
      () => 1,
    ).bits,
  ).toBeCloseTo(60 * Math.log2(3));
});

test('which of those that would have told the same it was need not be said', () => {
  const crowds = [[{ ...routed(0, 2, 1), alike: 3 }]];
  expect(cheapestRouting([crowds], 3, [rank]).bits).toBeCloseTo(0);
});

test('requests that come by chance follow no rule, on few connections or on one each', () => {
  for (let seed = 0; seed < 50; seed++) {
    const random = seededRandom(seed);
    const chance = Array.from({ length: 60 }, () => Math.floor(random() * 3));
    for (const size of [1, 2, 60]) {
      const { routing } = ruleOf(
        (at) => chance[at] ?? 0,
        (at) => Math.floor(at / size),
      );
      expect(routing).toBe('at random');
    }
  }
});

/** Crowds in which so many of the requests reached each node, all of which were alike when it began. */
const crowdsOf = (shares: readonly (readonly number[])[]) =>
  shares.map((share, crowd) =>
    share.flatMap((count, node) =>
      Array.from({ length: count }, (_, at) => ({ ...routed(1000 * crowd + at, node, at), alike: at === 0 ? 2 : 1 })),
    ),
  );

test('a node that always gets more than the other takes no more bits for that each time', () => {
  const even = crowdsOf(Array.from({ length: 8 }, (_, at) => [60 + (at % 3), 60 - (at % 3)]));
  const uneven = crowdsOf(Array.from({ length: 8 }, (_, at) => [84 + (at % 3), 36 - (at % 3)]));
  const bitsOf = (crowds: typeof even) => cheapestRouting([crowds], 2, [rank]).bits;
  expect(bitsOf(even)).toBeLessThan(8 * 5);
  expect(bitsOf(uneven)).toBeLessThan(8 * 5);
  // When a window begins, no answer shows which node is which.
  const exchanged = crowdsOf(Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? [84, 36] : [36, 84])));
  expect(bitsOf(exchanged)).toBeCloseTo(bitsOf(crowdsOf(Array.from({ length: 8 }, () => [84, 36]))));
});

test('a refusal that any node would have given shows nothing of whose turn it was', () => {
  const refused = (at: number): Routed => ({ ...routed(at, at % 5 === 0 ? 0 : 1, 1), alike: 3 });
  const told = Array.from({ length: 60 }, (_, at) => [routed(at, at % 3, 1)]);
  const spent = Array.from({ length: 60 }, (_, at) => [refused(60 + at)]);
  const again = Array.from({ length: 60 }, (_, at) => [routed(120 + at, at % 3, 1)]);
  const { bits, routing } = cheapestRouting([[...told, ...spent, ...again]], 3, [rank]);
  expect(routing).toBe('in turn');
  expect(bits).toBeLessThan(26);
});
