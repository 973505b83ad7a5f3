import { expect, test } from 'vitest';
import { LIMITS } from '../catalogue/limits.ts';
import { deal } from '../drive/experiments/carriers.ts';
import { profileOf, wholePlan } from './plan.test-support.ts';
import { spenders } from './windows.ts';

/**
 * Operations of which at least a tenth of a budget is sent in some window of a plan, out of those that spend budgets.
 */
function concentrated(count: number, kind: 'read' | 'write'): readonly [number, number] {
  const profile = profileOf(count, ['PUT', 'PATCH']);
  const { tracks } = wholePlan(profile, 4);
  const windows = tracks.filter((each) => each.kind === kind).flatMap(({ loads }) => loads);
  const most = new Map<string, number>();
  for (const { company, carriers } of windows) {
    const dealt = company === 'few' ? [] : deal(carriers, LIMITS[kind]);
    for (const [id, own] of Map.groupBy(dealt, ({ operation }) => operation.id)) {
      most.set(id, Math.max(most.get(id) ?? 0, own.length));
    }
  }
  const enough = [...most.values()].filter((each) => each > LIMITS[kind] / 10).length;
  return [enough, spenders(profile, kind).length];
}

test.each([2, 6, 10, 16, 24])('of %i operations, each read has more than a tenth of some budget', (count) => {
  const [enough, all] = concentrated(count, 'read');
  expect(enough).toBe(all);
});

test.each([2, 6, 10, 14])('of %i operations, each write has more than a tenth of some budget', (count) => {
  const [enough, all] = concentrated(count, 'write');
  expect(enough).toBe(all);
});

test('of more operations than a budget has room for, each takes part in some window', () => {
  const profile = profileOf(40, ['PUT', 'PATCH']);
  const windows = wholePlan(profile, 4)
    .tracks.filter(({ kind }) => kind === 'write')
    .flatMap(({ loads }) => loads);
  const dealt = windows.flatMap(({ carriers }) => deal(carriers, LIMITS.write).map(({ operation }) => operation.id));
  expect(new Set(dealt).size).toBe(spenders(profile, 'write').length);
});

test('each operation is in each shared window, as long as there is room for all in both headers', () => {
  const profile = profileOf(24, ['PUT', 'PATCH']);
  const { tracks } = wholePlan(profile, 4);
  for (const { kind, loads } of tracks) {
    for (const { carriers } of loads.filter(({ company }) => company === 'shared')) {
      const dealt = deal(carriers, LIMITS[kind]).map(({ operation, way }) => `${operation.id} ${way}`);
      expect(new Set(dealt).size).toBe(2 * spenders(profile, kind).length);
      expect(dealt).toHaveLength(LIMITS[kind]);
    }
  }
});
