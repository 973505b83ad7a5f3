import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sampled } from '../../test/sampled.test-support.ts';
import { COVERAGE, type Demand, EXPERIMENTS, type Factor } from '../catalogue/coverage.ts';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { WHOLE } from './allowance.ts';
import type { Levels } from './cover.ts';
import { aliases, bodiedProfileOf, profileOf, wholePlan } from './plan.test-support.ts';
import type { Plan } from './plan.ts';
import { levelsOf, operationLevels, possibleTrials } from './trials.ts';

/** What a plan sends: its single requests, and each class of the bursts within the limit and over it. */
function rowsOf({ schedule, tracks }: Plan): Levels[] {
  const bursts = tracks.flatMap(({ key, loads }) =>
    loads.flatMap(({ company, carriers }) =>
      carriers.flatMap(({ operation, way }): Levels[] => [
        { ...operationLevels(operation), way, key, fault: 'none' },
        { ...operationLevels(operation), way, key, fault: 'over-limit', company },
      ]),
    ),
  );
  return [...[...schedule.early, ...schedule.late].map(levelsOf), ...bursts];
}

/** Whether a request is one of those that a demand speaks of. */
function isMeant(levels: Levels, { given }: Demand): boolean {
  return (Object.keys(given) as Factor[]).every((factor) => given[factor]?.some((level) => level === levels[factor]));
}

/**
 * Every combination of levels that some possible request has and no request of the plan: the checker, by brute force.
 */
function missing(possible: readonly Levels[], rows: readonly Levels[], demand: Demand): string[] {
  const { factors, strength } = demand;
  const meant = rows.filter((row) => isMeant(row, demand));
  const masks = Array.from({ length: 2 ** factors.length }, (_, mask) =>
    factors.filter((_factor, at) => Math.floor(mask / 2 ** at) % 2 === 1),
  ).filter((chosen) => chosen.length === strength);
  const gaps = new Set<string>();
  for (const chosen of masks) {
    const seen = new Set(meant.map((row) => JSON.stringify(chosen.map((factor) => row[factor] ?? null))));
    for (const levels of possible) {
      if (!isMeant(levels, demand) || chosen.some((factor) => levels[factor] === undefined)) continue;
      const combination = JSON.stringify(chosen.map((factor) => levels[factor]));
      if (!seen.has(combination)) gaps.add(`${chosen.join(' × ')}: ${combination}`);
    }
  }
  return [...gaps];
}

describe.each([3, 10, 40])('a profile with %i operations', (count) => {
  const profile = profileOf(count);

  test.each([1, 2, 4])('with %i keys: every combination that is demanded of single requests is planned', (keys) => {
    const plan = wholePlan(profile, keys);
    const possible = possibleTrials(profile, aliases(keys), profile.operations, false).map(levelsOf);
    const rows = rowsOf(plan);
    for (const { id } of REQUIREMENTS) {
      for (const demand of COVERAGE[id].demands.filter(({ given }) => given.company === undefined)) {
        expect(missing(possible, rows, demand), id).toEqual([]);
      }
    }
  });

  test('takes at most 2,000 requests and 128 s with four keys, and 130 s with one', () => {
    const { requests, seconds } = wholePlan(profile, 4);
    expect(requests).toBeLessThanOrEqual(2000);
    expect(seconds).toBeLessThanOrEqual(128);
    expect(wholePlan(profile, 1).seconds).toBeLessThanOrEqual(130);
  });
});

describe.each(sampled([10, 3, 40, 120], 4))('a profile with %i operations that all take JSON', (count) => {
  const profile = bodiedProfileOf(count);

  test.each(sampled([8, 1, 2, 3, 4], 5))('with %i keys: keeps to the bound, and names what that leaves out', (keys) => {
    const { requests, seconds, experiments, odd, tracks } = wholePlan(profile, keys);
    expect(requests).toBeLessThanOrEqual(500 * Math.max(4, keys));
    if (keys <= 4) expect(seconds).toBeLessThanOrEqual(keys === 1 ? 130 : 128);
    const left = experiments.filter((each) => each.omitted !== null);
    const named = left.map(({ id }) => id);
    for (const { id, omitted } of left) {
      expect(omitted).toContain(`within ${500 * Math.max(4, keys)} requests`);
      expect(omitted, id).toContain(id === 'demanded' ? 'Name fewer operations' : 'Nothing is to be done');
    }
    expect(named.includes('arbitrary')).toBe(odd.requests < WHOLE.odd.requests);
    expect(named.includes('malformed')).toBe(odd.malformed !== 'all');
    for (const [id, kind] of [['one-connection', 'write'] as const, ['third-window', 'read'] as const]) {
      const cut = tracks.some((each) => each.role === 'silent' && each.kind === kind && !each.isSpentAgain);
      expect(named.includes(id), id).toBe(cut);
    }
    // What nothing judges gives way to what is sent again.
    if (count <= 10) expect(['', 'one-connection']).toContain(named.join());
  });

  test.runIf(count <= 40).each([1, 4])(
    'with %i keys: what is demanded of single requests is planned all the same',
    (keys) => {
      const possible = possibleTrials(profile, aliases(keys), profile.operations, false).map(levelsOf);
      const rows = rowsOf(wholePlan(profile, keys));
      for (const { id } of REQUIREMENTS) {
        for (const demand of COVERAGE[id].demands.filter(({ given }) => given.company === undefined)) {
          expect(missing(possible, rows, demand), id).toEqual([]);
        }
      }
    },
  );
});

describe('budgets', () => {
  const profile = profileOf(10);

  test.each(['read', 'write'] as const)(
    'of %ss with four keys: every class spends one alone and shares one',
    (kind) => {
      const loads = wholePlan(profile, 4)
        .tracks.filter((track) => track.kind === kind)
        .flatMap((track) => track.loads);
      const carriers = profile.operations.filter((each) => each.kind === kind && each.method !== 'DELETE');
      for (const company of ['alone', 'shared'] as const) {
        const rows = loads
          .filter((load) => load.company === company)
          .flatMap((load) =>
            load.carriers.map(({ operation, way }): Levels => ({ ...operationLevels(operation), way })),
          );
        for (const factor of ['way', 'group', 'method', 'path', 'operation'] as const) {
          const wanted = new Set(carriers.map((each) => operationLevels(each)[factor] ?? 'bearer'));
          const seen = new Set(rows.map((row) => row[factor]));
          expect(
            [...wanted].filter((level) => !seen.has(level)),
            `${factor} ${company}`,
          ).toEqual([]);
        }
      }
    },
  );

  test('with one key: the first window is shared, the second spent alone', () => {
    for (const { loads } of wholePlan(profile, 1).tracks) {
      expect(loads.map(({ company }) => company)).toEqual(['shared', 'alone']);
    }
  });
});

describe('traceability', () => {
  test.each(REQUIREMENTS.map(({ id }) => id))('%s is reached by an experiment and judged', (id) => {
    const { experiments, judge, demands } = COVERAGE[id];
    expect(experiments.length).toBeGreaterThan(0);
    for (const name of experiments) expect(existsSync(EXPERIMENTS[name])).toBe(true);
    expect(existsSync(judge)).toBe(true);
    if (!id.includes('-O') && id !== 'LIMIT-EVADE') expect(demands.length).toBeGreaterThan(0);
  });

  test('every experiment serves some requirement, but for the one that looks whether anybody is there', () => {
    const used = new Set<string>(REQUIREMENTS.flatMap(({ id }) => COVERAGE[id].experiments));
    expect(Object.keys(EXPERIMENTS).filter((name) => !used.has(name))).toEqual(['preflight']);
  });
});
