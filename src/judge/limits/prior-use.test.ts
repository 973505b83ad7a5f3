import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../random/random.ts';
import { conductOf } from '../../reference/conduct.ts';
import { fullPlan, planHistory } from '../../reference/plan-histories.ts';
import { type SimulatedRequest, simulate } from '../../reference/simulate.ts';
import { traceOf } from '../../reference/simulated-trace.ts';
import { VARIANTS } from '../../reference/variants.ts';
import type { Opinion } from '../verdict.ts';
import { judgeLimits } from './judge-limits.ts';

const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000 + 123_456;
/** How often each variant is tried; 0: one variant in eleven, once. */
const RUNS = Number(process.env.ORACLE_PRIOR_RUNS ?? 0);
const TRIED = VARIANTS.map(({ name }, index) => [name, index] as const).filter(
  ([, index]) => RUNS > 0 || index % 11 === 1,
);

/** Requests on every budget over the last `seconds` before the run: up to one and a half times what a window takes. */
function hiddenUse(seed: number, seconds: number): readonly SimulatedRequest[] {
  const random = seededRandom(seed);
  return fullPlan()
    .flatMap(({ key, kind }) =>
      Array.from({ length: Math.floor(random() * (kind === 'read' ? 150 : 45)) }, () => ({
        key,
        kind,
        at: -Math.round(random() * seconds * 1e6) - 50_000,
      })),
    )
    .sort((one, other) => one.at - other.at);
}

function notPassed(opinions: readonly Opinion[]): readonly string[] {
  return opinions
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ id, verdict, summary }) => `${id} ${verdict}: ${summary}`);
}

describe('a conforming deployment whose keys were in use passes by what follows in the plan', () => {
  test.each(TRIED)(
    '%s',
    (name, index) => {
      for (let run = 0; run < Math.max(1, RUNS); run++) {
        const seed = index + run * VARIANTS.length;
        const epoch = EPOCH + seed * 7_331_117;
        const hidden = hiddenUse(seed, [20, 60, 120][seed % 3] ?? 120);
        const exchanges = planHistory(fullPlan(), { conduct: conductOf(name, null), seed, epoch }, hidden);
        expect(notPassed(judgeLimits(traceOf(exchanges, epoch, seed)).opinions)).toEqual([]);
      }
    },
    120_000,
  );
});

describe('whatever came before it, and however it opens, no short history fails', () => {
  test.each(TRIED)(
    '%s',
    (name, index) => {
      for (let run = 0; run < Math.max(1, RUNS); run++) {
        const seed = 1000 + index + run * VARIANTS.length;
        const random = seededRandom(seed);
        const epoch = EPOCH + seed * 7_331_117;
        const keys = fullPlan().map(({ key, kind }, place) => {
          const at = (seconds: number) => ({ key, kind, at: Math.round((1 + seconds) * 1e6) });
          const opening = place % 2 === 0 ? [at(0)] : Array.from({ length: 12 }, () => at(random() * 0.003));
          return [...opening, ...Array.from({ length: 60 }, () => at(2 + random() * 40))];
        });
        const schedule = [...hiddenUse(seed, 120), ...keys.flat().sort((one, other) => one.at - other.at)];
        const exchanges = simulate(schedule, { conduct: conductOf(name, null), seed, epoch }).filter(
          ({ sent }) => sent >= 0,
        );
        const { opinions } = judgeLimits(traceOf(exchanges, epoch, seed));
        expect(notPassed(opinions).filter((line) => line.includes(' fail: '))).toEqual([]);
      }
    },
    120_000,
  );
});
