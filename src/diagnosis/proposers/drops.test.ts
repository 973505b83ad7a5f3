import { expect, test } from 'vitest';
import type { Event, History } from '../../oracle/history.ts';
import { conformingWorld, type World } from '../world.ts';
import { dropsOf, lostBy } from './drops.ts';
import { inAll } from './losses.ts';

/** The outcome of a request, and what its answer says is left. */
type Answer = readonly [Event['outcome'], number];

/** One budget, of which each request is answered a second after the one before. */
function worldOf(answers: readonly Answer[]): World {
  const events = answers.map(
    ([outcome, remaining], at) => ({ outcome, remaining, from: at * 1e6, to: at * 1e6 + 5, reset: 60e6 }) as Event,
  );
  return conformingWorld([{ kind: 'read', events, limit: 100, shown: 100, unit: null } as unknown as History]);
}

test.each<[string, number, readonly Answer[]]>([
  [
    'each is counted',
    0,
    [
      ['accepted', 99],
      ['accepted', 98],
      ['accepted', 97],
    ],
  ],
  [
    'one is not',
    1,
    [
      ['accepted', 99],
      ['accepted', 99],
      ['accepted', 98],
    ],
  ],
  [
    'one that failed is given back after its answer',
    0,
    [
      ['accepted', 99],
      ['failed', 98],
      ['accepted', 98],
    ],
  ],
  [
    'one that failed was given back already, and another is not counted',
    1,
    [
      ['failed', 100],
      ['accepted', 99],
      ['accepted', 99],
    ],
  ],
])('how many were not counted, at the least: %s', (_, lost, answers) => {
  const [drops] = dropsOf(worldOf(answers));
  expect(inAll(drops?.drops.map(lostBy) ?? []).lost).toBe(lost);
});
