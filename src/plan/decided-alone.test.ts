import { expect, test } from 'vitest';
import { sampled } from '../../test/sampled.test-support.ts';
import { wholeProfile } from '../accuracy/virtual/draw-profile.ts';
import { virtualRun } from '../accuracy/virtual/virtual-run.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { runPlan } from '../drive/run-plan.ts';
import { judgeTrace } from '../judge/judge-trace.ts';
import { conductOf } from '../reference/conduct.ts';
import { makePlan } from './plan.ts';

const profile = wholeProfile();

/** What `certify --only` says of a deployment, with two keys. */
async function verdictAlone(id: RequirementId, defect: string | null): Promise<string | undefined> {
  const selection = new Set([id]);
  const keys = { full: ['key-1', 'key-2'], restricted: true, revoked: true };
  const plan = makePlan({ profile, keys, selection, mode: 'certify' });
  const { trace } = await virtualRun({
    profile,
    keys: 2,
    seed: 3,
    epoch: Date.UTC(2026, 10, 21, 8, 30, 17) * 1000,
    conduct: conductOf(null, defect),
    script: (session) => runPlan(plan, session),
  });
  const header = { ...trace.header, selection: [id], experiments: plan.experiments };
  return judgeTrace({ ...trace, header }).verdicts.find((each) => each.id === id)?.verdict;
}

test.each(
  sampled(
    [
      ['LIMIT-R', null, 'pass'],
      ['LIMIT-R', 'limit-plus-one', 'fail'],
      ['LIMIT-R', 'limit-minus-one', 'fail'],
      ['LIMIT-W', 'limit-plus-one', 'fail'],
    ] as const,
    4,
  ),
)('the plan for %s alone decides it: %s gives %s', async (id, defect, verdict) => {
  expect(await verdictAlone(id, defect)).toBe(verdict);
});
