import { expect, test } from 'vitest';
import { exchanges, type Sketch } from '../judge/trace-builder.test-support.ts';
import { DECISIONS } from './check.ts';
import { explains } from './explain.ts';
import { anyCounting, groupsOf } from './failed-groups.ts';
import type { History } from './history.ts';
import { makeHistory } from './make-history.ts';
import { inferMarker } from './marker.ts';
import { shape, variantOf } from './shapes.ts';
import type { MechanismName } from './variant.ts';

const SECOND = 1_000_000;
const MECHANISMS: readonly MechanismName[] = ['grid', 'anchored', 'log', 'counter, anchored'];

/** Requests answered with these statuses, `pause` µs apart. */
function answered(second: number, statuses: readonly number[], pause = 100_000): Sketch[] {
  return statuses.map((status, index) => {
    const sent = second * SECOND + index * pause;
    return { sent, answered: sent + 500, status };
  });
}

/** 100 requests, two of which fail without a fault: it is unknown whether 98, 99 or 100 were counted. */
const SPENT = answered(0, [500, 500, ...Array.from({ length: 98 }, () => 200)], 1000);

function history(...later: readonly Sketch[]): History {
  const offset = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  return makeHistory(exchanges(...SPENT, ...later), { key: 'key-1', kind: 'read' }, inferMarker([], 0), offset);
}

const isExplained = (of: History, mechanism: MechanismName): boolean =>
  explains(variantOf(shape(mechanism, 0), anyCounting(groupsOf([of]))), of, DECISIONS) !== null;

test.each(MECHANISMS)(
  '%s: what finds the budget spent tells how many were counted of those that are not known',
  (mechanism) => {
    expect(isExplained(history(...answered(35, [429])), mechanism)).toBe(true);
    expect(isExplained(history(...answered(35, [200])), mechanism)).toBe(true);
    expect(isExplained(history(...answered(35, [200, 200, 429])), mechanism)).toBe(true);
    expect(isExplained(history(...answered(35, [429, 429, 200, 200, 429])), mechanism)).toBe(false);
  },
);

test.each(MECHANISMS)('%s: where others use the key, what they had counted may have left since', (mechanism) => {
  const shared = { ...history(...answered(35, [429, 429, 200, 200, 429])), shared: true };
  expect(isExplained(shared, mechanism)).toBe(true);
});
