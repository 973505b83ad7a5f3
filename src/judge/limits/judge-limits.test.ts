import { describe, expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import type { RequirementId } from '../../catalogue/requirement.ts';
import type { BudgetAnalysis } from '../../oracle/analysis.ts';
import { conductOf } from '../../reference/conduct.ts';
import { DEFECTS } from '../../reference/defects.ts';
import { fullPlan, planHistory } from '../../reference/plan-histories.test-support.ts';
import { simulate } from '../../reference/simulate.test-support.ts';
import { traceOf } from '../../reference/simulated-trace.test-support.ts';
import { VARIANTS } from '../../reference/variants.ts';
import type { Trace } from '../../trace/trace.ts';
import type { LimitsJudgement } from '../judgement.ts';
import { judgeLimits } from './judge-limits.ts';

const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000 + 123_456;

function planTrace(variant: string | null, defect: string | null): Trace {
  return traceOf(planHistory(fullPlan(), { conduct: conductOf(variant, defect), seed: 3, epoch: EPOCH }), EPOCH, 3);
}

const judged = new Map<string, LimitsJudgement<BudgetAnalysis>>();

/** The judgement of a defect, which several tests look at. */
function judgementOf(defect: string): LimitsJudgement<BudgetAnalysis> {
  const known = judged.get(defect) ?? judgeLimits(planTrace(null, defect));
  judged.set(defect, known);
  return known;
}

function verdicts(trace: Trace, verdict: string): readonly RequirementId[] {
  return idsOf(judgeLimits(trace), verdict);
}

function idsOf({ opinions }: LimitsJudgement<BudgetAnalysis>, verdict: string): readonly RequirementId[] {
  return opinions.filter((opinion) => opinion.verdict === verdict).map(({ id }) => id);
}

describe('a conforming deployment passes everything after the full plan', () => {
  test.each(sampled(VARIANTS, 72).map(({ name }) => name))('%s', (name) => {
    const { opinions } = judgeLimits(planTrace(name, null));
    expect(opinions.filter(({ verdict }) => verdict !== 'pass').map(({ id, summary }) => `${id}: ${summary}`)).toEqual(
      [],
    );
    expect(new Set(opinions.map(({ id }) => id)).size).toBe(15);
  });
});

describe('a defect is named by the requirement that it breaks, and by none that it does not touch', () => {
  const DUE: readonly (readonly [string, RequirementId])[] = [
    ['token-bucket', 'LIMIT-WINDOW'],
    ['limit-plus-one', 'LIMIT-R'],
    ['never-refuses', 'LIMIT-R'],
    ['window-of-57-seconds', 'LIMIT-WINDOW'],
    ['never-back', 'LIMIT-WINDOW'],
    ['per-address', 'LIMIT-KEY'],
    ['shared-kinds', 'LIMIT-RW'],
    ['one-for-all', 'LIMIT-KEY'],
    ['keys-in-pairs', 'LIMIT-KEY'],
    ['forwarded-for', 'LIMIT-EVADE'],
    ['per-connection', 'LIMIT-EVADE'],
    ['per-header', 'LIMIT-HEADER'],
    ['per-route', 'LIMIT-SCOPE'],
    ['resembling-keys-charged', 'LIMIT-ANON'],
    ['get-counted-twice', 'LIMIT-R'],
    ['read-then-write', 'LIMIT-ATOMIC'],
    ['remaining-negative', 'HDR-4'],
    ['old-count-new-marker', 'HDR-4'],
    ['anonymous-charged', 'LIMIT-ANON'],
    ['remaining-before-counting', 'HDR-4'],
    ['value-of-another-policy', 'HDR-4'],
    ['remaining-on-refusal', 'HDR-5'],
    ['hour-ahead', 'HDR-7'],
    ['always-a-minute-ahead', 'HDR-8'],
  ];

  // The quick tests judge those that the tests below look at, too.
  test.each(sampled(DUE, 36))(
    '%s: %s',
    (defect, id) => {
      const { must = [], may = [] } = DEFECTS.find(({ name }) => name === defect) ?? {};
      const failed = idsOf(judgementOf(defect), 'fail');
      expect(failed).toContain(id);
      expect(failed.filter((each) => !must.includes(each) && !may.includes(each))).toEqual([]);
    },
    120_000,
  );
});

thorough(
  'that reads and writes are counted together is said once, and no budget is said to be explained by its own requests',
  () => {
    const opinion = judgementOf('shared-kinds').opinions.find(({ id }) => id === 'LIMIT-RW');
    expect(opinion).toMatchObject({ verdict: 'fail', summary: 'Reads and writes of a key are counted together.' });
    expect(opinion?.parts?.filter(({ verdict }) => verdict === 'pass')).toEqual([]);
  },
);

test.each(sampled(['token-bucket', 'anonymous-charged', 'per-route'], 3))(
  '%s: each proof names all its requests, at most twenty',
  (defect) => {
    for (const opinion of judgementOf(defect).opinions) {
      if (opinion.verdict !== 'fail') continue;
      expect(opinion.proofs?.length).toBeGreaterThan(0);
      for (const { evidence, argument } of opinion.proofs ?? []) {
        expect(evidence.length).toBeLessThanOrEqual(20);
        expect(evidence.length).toBeGreaterThan(0);
        const named = new Set(argument.join(' ').match(/#\d+/g));
        expect(evidence.filter(({ seq }) => !named.has(`#${seq}`))).toEqual([]);
      }
    }
  },
);

test('the same trace gives the same judgement, and the order of its lines does not matter', () => {
  const trace = planTrace('log', null);
  const shuffled = { ...trace, exchanges: [...trace.exchanges].reverse() };
  const text = JSON.stringify(judgeLimits(trace));
  expect(JSON.stringify(judgeLimits(trace))).toBe(text);
  expect(JSON.stringify(judgeLimits(shuffled).opinions)).toBe(JSON.stringify(judgeLimits(trace).opinions));
});

test('a trace without budgets passes nothing', () => {
  expect(verdicts({ ...planTrace(null, null), exchanges: [] }, 'pass')).toEqual([]);
});

test('a key that was in use before the run fails nobody', () => {
  const request = (at: number) => ({ at: at * 1e6, key: 'key-1', kind: 'read' as const });
  const schedule = [...Array.from({ length: 30 }, (_, index) => request(index / 10)), ...[10, 20, 30, 70].map(request)];
  const exchanges = simulate(schedule, { conduct: conductOf('anchored', null), seed: 5, epoch: EPOCH });
  const cut = traceOf(
    exchanges.filter(({ sent }) => sent >= 10e6),
    EPOCH,
    5,
  );
  expect(verdicts(cut, 'fail')).toEqual([]);
});
