import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../catalogue/limits.ts';
import { arrivalCount, arrivalKind, dueAt } from './arrivals.ts';
import { extentOf } from './extent.ts';
import { type LoadSpec, SCENARIO_NAMES, type ScenarioName, WINDOW_MS } from './load-spec.ts';
import { numberedWaves, requestLookup } from './request-id.ts';
import { SCENARIOS } from './scenario.ts';
import { sampleSpec } from './spec.test-support.ts';

const laneScenarios = SCENARIO_NAMES.filter((name) => SCENARIOS[name].pacing.pacing === 'lanes');

/** Every request of a lane-paced run: its number, key, kind and due time in ms. */
function* requestsOf(spec: LoadSpec) {
  const { pacing } = SCENARIOS[spec.scenario];
  if (pacing.pacing !== 'lanes') return;
  for (let lane = 0; lane < pacing.lanes(spec); lane += 1) {
    for (const { track, wave, first } of numberedWaves(pacing.tracks(spec, lane), lane)) {
      for (let i = 0; i < wave.count * wave.times; i += 1) {
        yield { id: first + i, key: track.key, wave, at: wave.at + Math.floor(i / wave.count) * wave.every };
      }
    }
  }
}

describe.each(laneScenarios)('%s', (scenario: ScenarioName) => {
  test('every request has a number of its own, from which the judge knows what it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 450 }), (keys) => {
        const spec = sampleSpec({ scenario, keys });
        const lookup = requestLookup(spec);
        const seen = new Set<number>();
        for (const { id, key, wave } of requestsOf(spec)) {
          seen.add(id);
          const { key: told, kind, step } = lookup(id) ?? {};
          if (told !== key || kind !== wave.kind || step !== wave.step)
            expect.fail(`request ${id} is taken for another`);
        }
        expect(seen.size).toBe(extentOf(spec).requests);
      }),
      { numRuns: 8 },
    );
  });

  test("numbers that the plan does not have are nobody's", () => {
    const spec = sampleSpec({ scenario });
    const ids = new Set([...requestsOf(spec)].map(({ id }) => id));
    const lookup = requestLookup(spec);
    for (const id of [-1, 999_999, 1e9, 1e12, Number.NaN]) if (!ids.has(id)) expect(lookup(id)).toBeNull();
  });

  test('waves of a track rise in time, which is the order in which a lane sends them', () => {
    const spec = sampleSpec({ scenario, keys: 3 });
    const { pacing } = SCENARIOS[scenario];
    if (pacing.pacing !== 'lanes') return;
    for (let lane = 0; lane < pacing.lanes(spec); lane += 1) {
      for (const { waves } of pacing.tracks(spec, lane)) {
        for (const [i, { at, from }] of waves.entries()) {
          const before = waves[i - 1];
          // After a new marker times are counted from that one.
          if (!before || before.from !== from || before.step === 'marker') continue;
          expect(at).toBeGreaterThanOrEqual(before.at + (before.times - 1) * before.every);
        }
      }
    }
  });
});

describe('what a scenario is for', () => {
  test.each(['quota-read', 'quota-write', 'contention', 'kinds', 'stampede', 'demo'] as const)(
    '%s takes at least one key past its limit within a window',
    (scenario) => {
      const spec = sampleSpec({ scenario });
      for (const kind of SCENARIOS[scenario].kinds) {
        const early = [...requestsOf(spec)].filter(
          ({ key, wave, at }) => key === 0 && wave.kind === kind && at < WINDOW_MS - 2_000,
        );
        expect(early.length).toBeGreaterThan(LIMITS[kind]);
      }
    },
  );

  test('isolation: no neighbour comes near its limit in any window', () => {
    const spec = sampleSpec({ scenario: 'isolation', keys: 5 });
    for (const kind of ['read', 'write'] as const) {
      for (let key = 1; key < spec.keys; key += 1) {
        const times = [...requestsOf(spec)].filter((each) => each.key === key && each.wave.kind === kind);
        expect(mostInWindow(times.map(({ at }) => at))).toBeLessThanOrEqual(LIMITS[kind] * 0.7);
      }
    }
  });

  test('sustained: every key stays within both quotas in any window, with room for two more', () => {
    const spec = sampleSpec({ scenario: 'sustained', keys: 3, rate: 1_000, seconds: 180 });
    const { pacing } = SCENARIOS.sustained;
    if (pacing.pacing !== 'arrivals') throw new Error('sustained is an open model');
    const stages = pacing.stages(spec);
    const ids = Array.from({ length: arrivalCount(stages) }, (_, id) => id);
    for (const kind of ['read', 'write'] as const) {
      const own = ids.filter((id) => id % 3 === 1 && arrivalKind(id, 3) === kind);
      const most = mostInWindow(own.map((id) => dueAt(stages, id)));
      expect(most).toBeLessThanOrEqual(LIMITS[kind] - 1);
      expect(most).toBeGreaterThanOrEqual(LIMITS[kind] * 0.9);
    }
  });
});

function mostInWindow(times: readonly number[]): number {
  let most = 0;
  for (const [i, start] of times.entries()) {
    let count = 0;
    for (let j = i; j < times.length && (times[j] ?? 0) <= start + WINDOW_MS; j += 1) count += 1;
    most = Math.max(most, count);
  }
  return most;
}
