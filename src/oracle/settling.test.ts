import { expect, test } from 'vitest';
import { conductOf } from '../reference/conduct.ts';
import { type SimulatedRequest, simulate } from '../reference/simulate.ts';
import { ALL_LAYERS } from './check.ts';
import { explain } from './explain.ts';
import { makeHistory } from './history.ts';
import { dateOffset, inferMarker } from './marker.ts';

const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000;
const BUDGET = { key: 'key-1', kind: 'read' } as const;

/** Thirty reads in the first second and a few later on, of which those of one operation are all counted twice by a server that does so. */
function isExplained(twice: string | null): boolean {
  const requests: SimulatedRequest[] = [
    ...Array.from({ length: 30 }, (_, index) => ({
      ...BUDGET,
      at: 10_000 + index * 30_000,
      target: index % 15 === 7 ? '/categories/1' : '/service',
    })),
    ...[2, 10, 30].map((second) => ({ ...BUDGET, at: second * 1e6 })),
  ];
  const exchanges = simulate(requests, {
    seed: 1,
    epoch: EPOCH,
    conduct: (started) => {
      const conforming = conductOf('grid-whole-second', null)(started);
      const extraCharges = (arrival: Parameters<typeof conforming.budget>[0]) =>
        arrival.target === twice ? [conforming.budget(arrival)] : [];
      return { ...conforming, extraCharges };
    },
  });
  const history = makeHistory(exchanges, BUDGET, inferMarker(exchanges, EPOCH), dateOffset(exchanges, EPOCH));
  const counting = { failedCounted: new Set<string>(), undecided: new Set<string>(), refusedCounted: false };
  return explain({ mechanism: 'grid', counting, lag: 1e6, reset: 'oldest', latch: false }, history, ALL_LAYERS)
    .survives;
}

test('a boundary that a whole-second clock leaves open by a second is still one moment for all requests', () => {
  expect(isExplained(null)).toBe(true);
  expect(isExplained('/categories/1')).toBe(false);
});
