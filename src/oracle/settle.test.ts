import { expect, test } from 'vitest';
import { conductOf } from '../reference/conduct.ts';
import { simulate } from '../reference/simulate.test-support.ts';
import type { Exchange } from '../trace/exchange.ts';
import { ALL_LAYERS } from './check.ts';
import { explain } from './explain.ts';
import { makeHistory } from './make-history.ts';
import { inferMarker } from './marker.ts';
import { dateOffset } from './server-clock.ts';

/** The server's minute begins with the run, so a clock of whole seconds leaves the first second open. */
const EPOCH = Date.UTC(2026, 10, 21, 8, 31) * 1000;
const BUDGET = { key: 'key-1', kind: 'read' } as const;

const HISTORY = simulate(
  [...Array.from({ length: 20 }, (_, index) => 0.01 + index * 0.04), 2, 10, 30].map((second) => ({
    ...BUDGET,
    at: Math.round(second * 1e6),
  })),
  { seed: 1, epoch: EPOCH, conduct: conductOf('grid-whole-second', null) },
);

function isExplained(exchanges: readonly Exchange[]): boolean {
  const history = makeHistory(exchanges, BUDGET, inferMarker(exchanges, EPOCH), dateOffset(exchanges, EPOCH));
  const counting = { failedCounted: new Set<string>(), undecided: new Set<string>(), refusedCounted: false };
  return explain({ mechanism: 'grid', counting, lag: 1e6, reset: 'oldest', latch: false }, history, ALL_LAYERS)
    .survives;
}

test('what is answered about a boundary leaves as much as either of its windows does', () => {
  const tampered = HISTORY.map((each, index) =>
    index === 12 ? { ...each, headers: { ...each.headers, remaining: ['60'] } } : each,
  );
  expect(isExplained(HISTORY)).toBe(true);
  expect(isExplained(tampered)).toBe(false);
});
