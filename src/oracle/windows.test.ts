import { expect, test } from 'vitest';
import { exchanges, type Sketch } from '../judge/trace-builder.test-support.ts';
import { DECISIONS } from './check.ts';
import { explains } from './explain.ts';
import { anyCounting, groupsOf } from './failed-groups.ts';
import type { History } from './history.ts';
import { makeHistory } from './make-history.ts';
import { inferMarker } from './marker.ts';
import { shape, variantOf } from './shapes.ts';

const SECOND = 1_000_000;
const FAILED: Sketch = { sent: 2 * SECOND, status: 500, fault: 'internal' };

/** Requests from a second on, a few under way at the same time: this many succeed and this many are refused. */
function burst(second: number, accepted: number, refused: number): Sketch[] {
  return Array.from({ length: accepted + refused }, (_, index) => {
    const sent = second * SECOND + index * 1000;
    return { sent, answered: sent + 5000, status: index < accepted ? 200 : 429 };
  });
}

function history(...sketches: readonly Sketch[]): History {
  const offset = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const sorted = sketches.toSorted((one, other) => (one.sent ?? 0) - (other.sent ?? 0));
  return makeHistory(exchanges(...sorted), { key: 'key-1', kind: 'read' }, inferMarker([], 0), offset);
}

function isExplained(of: History): boolean {
  return explains(variantOf(shape('grid', 0), anyCounting(groupsOf([of]))), of, DECISIONS) !== null;
}

test('a window that was once full refuses still, though what failed is given back', () => {
  expect(isExplained(history(FAILED, ...burst(3, 99, 4)))).toBe(true);
});

test('a window that was never full refuses nothing, though something failed in another one', () => {
  expect(isExplained(history(FAILED, ...burst(3, 99, 4), ...burst(130, 40, 4)))).toBe(false);
});
