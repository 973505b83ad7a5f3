import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeSteps } from './stepped.ts';

test.each([6, 7.5, 10, 15])(
  'a window that slides in steps of %d s is found, and no other step explains it as briefly',
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
      const step = deviation?.operator === 'other-mechanism' ? deviation.parameters.step : null;
      expect(step).toBe(seconds * 1_000_000);
    }
  },
);

test('a budget that comes back whenever it suits takes more to say than steps do', async () => {
  const moved: Deviation = {
    operator: 'moved-end',
    parameters: {
      ...{ kinds: ['read', 'write'], trigger: 'bad request', statuses: [400] },
      ...{ to: { after: 30_000_000 }, idle: 0, told: false },
    },
  };
  const run = await runUnder([moved], { name: 'anchored', wholeSecond: false });
  const found = foundBy(proposeSteps, 'read', run);
  // Of single deviations, one with at most so many bits is sufficient.
  expect(found.filter(({ bits }) => bits <= 40)).toEqual([]);
});

test('a log of which only the markers are wrong is none', async () => {
  const change = { offset: 17_000_000 };
  const run = await runUnder(
    [{ operator: 'marker-header', parameters: { kinds: ['read', 'write'], change, only: 'all' } }],
    { name: 'log', logRefused: false, reset: 'oldest' },
  );
  expect(foundBy(proposeSteps, 'read', run)).toEqual([]);
});
