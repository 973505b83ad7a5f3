import { expect, test } from 'vitest';
import { sampled, thorough } from '../../test/sampled.test-support.ts';
import type { Mechanism } from '../deployment/deployment.ts';
import type { Deviation } from '../deployment/operators.ts';
import { rulingsOfKinds } from '../judge/limits/kind-rulings.ts';
import { Work } from '../oracle/work.ts';
import { Fitter } from './fitter.ts';
import { runUnder } from './proposers/deviating-world.test-support.ts';
import { diagnoseRun } from './run.ts';
import { findSteps } from './stepped.ts';
import { conformingWorld } from './world.ts';

const inSteps = (seconds: number, reset: 'oldest' | 'newest' | 'now' = 'oldest') => {
  return { name: 'log', logRefused: false, reset, step: seconds * 1_000_000 } as const;
};

const ONE_MORE: Deviation = {
  operator: 'other-limit',
  parameters: { kind: 'read', limit: 101, limitHeader: 100, remainingFrom: 101, from: 'always' },
};
const SHORT: Deviation = {
  operator: 'window-length',
  parameters: { kinds: ['read'], length: 55_000_000, told: 55_000_000, from: 'always' },
};
const BUCKET: Deviation = {
  operator: 'other-mechanism',
  parameters: { kinds: ['read'], name: 'token bucket', burst: 1, marker: 'all' },
};

thorough.each([
  ['of 6 s', inSteps(6)],
  ['of 7.5 s', inSteps(7.5)],
  ['of 10 s', inSteps(10)],
  ['of 15 s', inSteps(15)],
  ['of 10 s, with the marker of the newest', inSteps(10, 'newest')],
  ['of 10 s, with a marker a minute ahead', inSteps(10, 'now')],
])('a window that slides in steps conforms: %s', async (_, mechanism) => {
  const { budgets, anonymous } = await runUnder([], mechanism);
  const { kinds } = diagnoseRun(
    budgets.map(({ history }) => history),
    anonymous,
  );
  expect(kinds.map(({ outcome }) => outcome)).toEqual(['conforms', 'conforms']);
  expect(rulingsOfKinds('LIMIT-WINDOW', kinds)).toEqual([]);
  for (const { diagnosis } of kinds) {
    expect(diagnosis.conforming?.step?.low).toBeLessThanOrEqual(mechanism.step);
    expect(diagnosis.conforming?.step?.high).toBeGreaterThanOrEqual(mechanism.step);
  }
});

test.each<[string, Deviation[], Mechanism]>(
  sampled(
    [
      ['a limit of one more in such a window', [ONE_MORE], inSteps(10)],
      ['fixed windows of 55 s', [SHORT], { name: 'anchored', wholeSecond: false }],
      ['a token bucket', [BUCKET], { name: 'anchored', wholeSecond: false }],
    ],
    4,
  ),
)('steps do not explain %s', async (_, deviations, mechanism) => {
  const { budgets } = await runUnder(deviations, mechanism);
  const histories = budgets.map(({ history }) => history).filter(({ kind }) => kind === 'read');
  expect(findSteps(conformingWorld(histories), new Fitter(new Work(100_000_000)))).toBeNull();
});
