import { describe, expect, test } from 'vitest';
import { sampled } from '../../../test/sampled.test-support.ts';
import { conductOf } from '../../reference/conduct.ts';
import { DEFECTS } from '../../reference/defects.ts';
import { fullPlan, planHistory } from '../../reference/plan-histories.ts';
import { traceOf } from '../../reference/simulated-trace.ts';
import { judgeTrace } from '../judge-trace.ts';

const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000 + 123_456;

/** What the full plan finds on this server: which requirements fail, and every name at a proof or a budget. */
function judged(variant: string | null, defect: string, seed: number) {
  const exchanges = planHistory(fullPlan(), { conduct: conductOf(variant, defect), seed, epoch: EPOCH });
  const { verdicts, budgets } = judgeTrace(traceOf(exchanges, EPOCH, seed));
  const failed = verdicts.filter(({ verdict }) => verdict === 'fail');
  const proofs = failed.flatMap((each) => each.proofs.map(({ diagnosis }) => diagnosis));
  const names = [...proofs, ...budgets.map(({ diagnosis }) => diagnosis)].filter((name) => name !== null);
  return { failed: failed.map(({ id }) => id), names: [...new Set(names)] };
}

/** The names in one that leaves open which of them it is. */
function each(name: string): readonly string[] {
  return name.split(/, | or /);
}

/** A log that counts refusals answers alike to what the simulator sends, and would conform. */
const EXPLAINED = ['refreshed-by-requests'];

describe('what has a name is called by it, alone or with what answers alike', () => {
  const due = DEFECTS.filter(({ name, diagnosis }) => diagnosis && !EXPLAINED.includes(name));

  test.each(sampled(due, 24))(
    '$name: $diagnosis',
    ({ name, variant, diagnosis = '' }) => {
      const { failed, names } = judged(variant ?? null, name, 3);
      expect(failed).not.toEqual([]);
      expect(names.length).toBe(1);
      expect(each(names[0] ?? '')).toContain(diagnosis);
    },
    120_000,
  );
});

describe('what has none is called nothing', () => {
  const nameless = DEFECTS.filter(
    ({ diagnosis, must }) => !diagnosis && must.some((id) => /^LIMIT-|^HDR-[4-8]/.test(id)),
  );

  test.each(sampled(nameless, 24))(
    '$name',
    ({ name, variant }) => {
      expect(judged(variant ?? null, name, 3).names).toEqual([]);
    },
    120_000,
  );
});
