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
