import { expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import { SECOND, WINDOW } from '../../deployment/deployment.ts';
import { isWithin, type Stretches } from '../../deployment/deviations/other-limit.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeLimitsInTime } from './limit-in-time.ts';

const AFTERWARDS: Stretches = { at: 65 * SECOND };
const EARLY: Stretches = { at: 0, lasts: 65 * SECOND };
const EVERY_OTHER: Stretches = { at: 43 * SECOND, lasts: WINDOW, every: 2 * WINDOW };
const ONE_OF_THREE: Stretches = { at: 43 * SECOND, lasts: WINDOW, every: 3 * WINDOW };

thorough.each([
  ['read', 120, 120, AFTERWARDS, { name: 'grid', phase: 'process' }],
  ['read', 60, 60, AFTERWARDS, { name: 'anchored', wholeSecond: false }],
  ['write', 60, 60, AFTERWARDS, { name: 'log', logRefused: false, reset: 'oldest' }],
  ['read', 80, 100, AFTERWARDS, { name: 'grid', phase: 'process' }],
  ['read', 80, 100, EARLY, { name: 'anchored', wholeSecond: false }],
  ['write', 40, 30, AFTERWARDS, { name: 'log', logRefused: false, reset: 'oldest' }],
  ['write', 20, 30, EVERY_OTHER, { name: 'grid', phase: 'clock' }],
  ['read', 90, 100, EVERY_OTHER, { name: 'grid', phase: 'key-hash' }],
  ['read', 150, 100, ONE_OF_THREE, { name: 'grid', phase: 'clock' }],
] as const)('another limit of %ss, %i where headers tell %i, is found at some time %#', async (...drawn) => {
  const [kind, limit, limitHeader, from, mechanism] = drawn;
  const other = { kind, limit, limitHeader, remainingFrom: limit } as const;
  const run = await runUnder([{ operator: 'other-limit', parameters: { ...other, from } }], mechanism);
  const [found] = foundBy(proposeLimitsInTime, kind, run);
  expect(found?.deviations).toMatchObject([{ operator: 'other-limit', parameters: other }]);
  const [first] = found?.deviations ?? [];
  const told = first?.operator === 'other-limit' && typeof first.parameters.from === 'object' && first.parameters.from;
  // Far from both ends, whichever words describe the time.
  const moments = [10, 30, 55, 75, 95].map((second) => second * SECOND);
  expect(moments.map((each) => told && isWithin(told, each))).toEqual(moments.map((each) => isWithin(from, each)));
});

test('no other limit at some time explains what conforms', async () => {
  expect(foundBy(proposeLimitsInTime, 'read', await runUnder([]))).toEqual([]);
});
