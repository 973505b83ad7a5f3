import { expect, test } from 'vitest';
import { multiplied } from '../diagnosis/proposers/multiplied.ts';
import { conformingWorld } from '../diagnosis/world.ts';
import { exchanges } from '../judge/trace-builder.test-support.ts';
import { DECISIONS } from './check.ts';
import { explains } from './explain.ts';
import { anyCounting } from './failed-groups.ts';
import { makeHistory } from './make-history.ts';
import { inferMarker } from './marker.ts';
import { shape, variantOf } from './shapes.ts';

/** Whether a mechanism can have let so many through that were under way at once, if each costs two. */
function letsThrough(accepted: number, mechanism: 'grid' | 'log'): boolean {
  const sketches = Array.from({ length: accepted }, (_, at) => ({ sent: 1e6 + at, answered: 1.1e6, status: 200 }));
  const offset = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const history = makeHistory(exchanges(...sketches), { key: 'key-1', kind: 'read' }, inferMarker([], 0), offset);
  const [costly = history] = multiplied(conformingWorld([history]), () => true, 2).histories;
  return explains(variantOf(shape(mechanism, 0), anyCounting([])), costly, DECISIONS) !== null;
}

test('requests that cost two each are no more than half of the limit, however many were under way at once', () => {
  expect([50, 51].map((accepted) => letsThrough(accepted, 'log'))).toEqual([true, false]);
  // A boundary of windows may lie among them: then there are two windows.
  expect([100, 103].map((accepted) => letsThrough(accepted, 'grid'))).toEqual([true, false]);
});
