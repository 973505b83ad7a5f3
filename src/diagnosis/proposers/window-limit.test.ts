import { expect, test } from 'vitest';
import { SECOND } from '../../deployment/deployment.ts';
import { foundBy, runUnder, twoClocks } from './deviating-world.test-support.ts';
import { proposeLaterLimits, proposeWindowLimits } from './window-limit.ts';

test.each([
  ['read', 120, { name: 'grid', phase: 'process' }],
  ['read', 60, { name: 'anchored', wholeSecond: false }],
  ['write', 60, { name: 'log', logRefused: false, reset: 'oldest' }],
] as const)(
  'another limit of %ss, %i from a moment on, is found where the headers tell it',
  async (kind, limit, mechanism) => {
    const told = { kind, limit, limitHeader: limit, remainingFrom: limit } as const;
    const run = await runUnder(
      [{ operator: 'other-limit', parameters: { ...told, from: { at: 65 * SECOND } } }],
      mechanism,
    );
    const [found] = foundBy(proposeLaterLimits, kind, run);
    expect(found?.deviations).toMatchObject([{ operator: 'other-limit', parameters: told }]);
    const [at] = found?.deviations.map(({ parameters }) => JSON.stringify(parameters).match(/"at":(\d+)/)?.[1]) ?? [];
    expect(Number(at)).toBeGreaterThanOrEqual(64 * SECOND);
  },
);

test('no limit of the first window is told from windows that do not follow one another', () => {
  const found = foundBy(proposeWindowLimits, 'read', { budgets: [{ history: twoClocks(96) }], anonymous: [] });
  expect(found).toEqual([]);
});
