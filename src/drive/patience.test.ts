import { expect, test } from 'vitest';
import { wholeProfile } from '../accuracy/virtual/draw-profile.ts';
import { virtualRun } from '../accuracy/virtual/virtual-run.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { makePlan } from '../plan/plan.ts';
import { conductOf } from '../reference/conduct.ts';
import { patienceOf } from './patience.ts';
import { runPlan } from './run-plan.ts';

/** What a run for AUTH-4 alone sends, if another run spent the writes of its key ten seconds before. */
async function afterAnother(variant: string) {
  const profile = wholeProfile();
  const { trace } = await virtualRun({
    profile,
    keys: 1,
    conduct: conductOf(variant, null),
    seed: 7,
    epoch: Date.UTC(2026, 10, 21, 8, 30, 17) * 1000,
    others: [{ key: 'key-1', kind: 'write', requests: 30, at: -10_000_000, every: 100 }],
    script: (session) =>
      runPlan(
        makePlan({
          profile,
          keys: session.keys,
          selection: new Set<RequirementId>(['AUTH-1', 'AUTH-4']),
          mode: 'certify',
        }),
        session,
      ),
  });
  return trace;
}

// Where the marker can be read, the request before the preparation has waited already.
test.each([
  ['anchored', 200],
  ['no-date', 429],
] as const)(
  'a preparation for which the key has nothing left waits for its budget, once: %s',
  async (variant, first) => {
    const { exchanges, notes, footer } = await afterAnother(variant);
    const made = exchanges.filter(({ step }) => step === 'prepare').map(({ status }) => status);
    expect(exchanges.some(({ status }) => status === 429)).toBe(true);
    expect(made[0]).toBe(first);
    expect(made).toContain(200);
    const tried = exchanges.filter(({ operation, fault }) => operation === 'delete-label' && fault === 'no-key');
    expect(tried.map(({ status }) => status)).toEqual([401]);
    expect(notes.filter(({ code }) => code === 'experiment-failed')).toEqual([]);
    expect(footer?.ended).toBeLessThan(70e6);
  },
);

test('the progress of a run tells which budget it waits for', async () => {
  const told: unknown[] = [];
  const until = async (time: number, purpose?: object): Promise<void> => void told.push({ time, ...purpose });
  const patience = patienceOf({ clock: { now: () => 1e6 }, until });
  await patience.rest();
  expect(patience.extend(10, { sent: 0, key: 'key-2', kind: 'write' })).toBe(true);
  expect(patience.extend(5, { sent: 0, key: 'key-2', kind: 'read' })).toBe(true);
  await patience.rest();
  expect(told).toEqual([{ time: 11e6, track: 'spent', key: 'key-2', kind: 'write', started: 0, why: 'spent' }]);
});
