import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeSteps } from './stepped.ts';

test.each([6, 10, 15])(
  'a window that slides in steps of %d s is found, with no longer a step than that',
  async (seconds) => {
    const stepped: Deviation = {
      operator: 'other-mechanism',
      parameters: {
        ...{ kinds: ['read', 'write'], name: 'stepped window', burst: 1, marker: 'next' },
        step: seconds * 1_000_000,
      },
    };
    const run = await runUnder([stepped]);
    for (const kind of ['read', 'write'] as const) {
      const [found] = foundBy(proposeSteps, kind, run);
      const [deviation] = found?.deviations ?? [];
      expect(deviation).toMatchObject({ parameters: { name: 'stepped window' } });
      const step = deviation?.operator === 'other-mechanism' ? (deviation.parameters.step ?? 0) / 1_000_000 : 0;
      // Requests need not be sent at the beginning of a step, so a shorter step may explain everything.
      expect(step).toBeLessThanOrEqual(seconds);
      expect(step).toBeGreaterThan(seconds / 2);
    }
  },
);

test('a log of which only the markers are wrong is none', async () => {
  const change = { offset: 17_000_000 };
  const run = await runUnder(
    [{ operator: 'marker-header', parameters: { kinds: ['read', 'write'], change, only: 'all' } }],
    { name: 'log', logRefused: false, reset: 'oldest' },
  );
  expect(foundBy(proposeSteps, 'read', run)).toEqual([]);
});
