import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeRemainingAtTurns } from './remaining-at-turns.ts';

const FIXED = [
  { name: 'grid', phase: 'process' },
  { name: 'anchored', wholeSecond: false },
] as const;

test.each(sampled(FIXED, 2))(
  'a Remaining of 0 that is told once more after refusals is found under %j',
  async (mechanism) => {
    const parameters = { kinds: ['read', 'write'], change: { constant: 0 }, only: 'after refusals' } as const;
    const run = await runUnder([{ operator: 'remaining-header', parameters }], mechanism);
    for (const kind of ['read', 'write'] as const) {
      const [found] = foundBy(proposeRemainingAtTurns, kind, run);
      expect(found?.deviations).toEqual([
        { operator: 'remaining-header', parameters: { ...parameters, kinds: [kind] } },
      ]);
    }
  },
);

thorough.each(FIXED)(
  'a Remaining that is read before the first request of a window is found under %j',
  async (mechanism) => {
    const parameters = { kinds: ['read', 'write'], change: 'the limit', only: 'openers' } as const;
    const run = await runUnder([{ operator: 'remaining-header', parameters }], mechanism);
    for (const kind of ['read', 'write'] as const) {
      const [found] = foundBy(proposeRemainingAtTurns, kind, run);
      expect(found?.deviations).toEqual([
        { operator: 'remaining-header', parameters: { ...parameters, kinds: [kind] } },
      ]);
    }
  },
);

thorough.each(FIXED)('nothing is found where Remaining is right, under %j', async (mechanism) => {
  const parameters = { kinds: ['read'], change: 'no rule', only: { statuses: [400] } } as const;
  const run = await runUnder([{ operator: 'remaining-header', parameters }], mechanism);
  expect(foundBy(proposeRemainingAtTurns, 'read', run)).toEqual([]);
});
