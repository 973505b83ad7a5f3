import { expect, test } from 'vitest';
import { conductOf } from '../reference/conduct.ts';
import { simulate } from '../reference/simulate.test-support.ts';
import { searchBursts } from './bursts.ts';
import type { Event, Range } from './history.ts';
import { makeHistory } from './make-history.ts';
import { inferMarker } from './marker.ts';
import type { Model } from './model.ts';
import { dateOffset } from './server-clock.ts';

const WINDOW = 60e6;
const EPOCH = Date.UTC(2026, 10, 21, 8, 31) * 1000;
const BUDGET = { key: 'key-1', kind: 'read' } as const;
/** One request in each of three windows. */
const ANSWERED = simulate(
  [70, 130, 190].map((second) => ({ ...BUDGET, at: second * 1e6 })),
  { seed: 1, epoch: EPOCH, conduct: conductOf(null, null) },
);
const { events } = makeHistory(ANSWERED, BUDGET, inferMarker(ANSWERED, EPOCH), dateOffset(ANSWERED, EPOCH));

/**
 * The number of parts examined to decide whether some position of three bursts suits a request that only the second
 * affects.
 */
function look(suits: (second: Range) => boolean, last: Event | undefined): { found: boolean; parts: number } {
  const parts = new Map<Model, readonly Range[]>();
  let failing: Event | null = null;
  const part = (after: readonly Range[]): Model => {
    const model: Model = { alternatives: () => [], overfull: () => null };
    parts.set(model, after);
    return model;
  };
  const survives = (model: Model): boolean => {
    const [, second] = parts.get(model) ?? [];
    if (second && suits(second)) return true;
    failing = last ?? null;
    return false;
  };
  // The boundaries are so far apart that each request is affected by only one of them.
  const starts = [-400e6, 60e6, 600e6];
  const found = searchBursts({ sizes: [64, 64, 64], starts, part }, survives, {
    most: 1_500,
    window: WINDOW,
    failing: () => failing,
  });
  return { found, parts: parts.size };
}

test('a way for bursts to fall is found wherever there is one', () => {
  for (const value of [0, 17, 64]) {
    expect(look(({ low, high }) => low <= value && value <= high, events[0])).toMatchObject({ found: true });
  }
});

test('where none suits a request, the bursts that do not matter to it are not told apart', () => {
  // Every part that is wide enough suits it.
  const { found, parts } = look(({ low, high }) => high - low > 2, events[0]);
  expect(found).toBe(false);
  expect(parts).toBeLessThan(look(({ low, high }) => high - low > 2, undefined).parts / 4);
});
