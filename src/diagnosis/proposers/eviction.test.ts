import { expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';

import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeEvictions } from './eviction.ts';

const MECHANISMS = [
  { name: 'grid', phase: 'process' },
  { name: 'anchored', wholeSecond: false },
  { name: 'log', logRefused: false, reset: 'oldest' },
] as const;

thorough.each(MECHANISMS.flatMap((mechanism) => [5, 6].map((kept) => [kept, mechanism] as const)))(
  'a store that keeps %i counters of both kinds is found under %j',
  async (kept, mechanism) => {
    const store = 'of both kinds';
    const parameters = { kinds: ['read', 'write'], kept, store } as const;
    const run = await runUnder([{ operator: 'counters-lost', parameters }], mechanism);
    for (const kind of ['read', 'write'] as const) {
      const found = foundBy(proposeEvictions, kind, run).flatMap(({ deviations }) => deviations);
      expect(found).toContainEqual({ operator: 'counters-lost', parameters: { kinds: [kind], kept, store } });
    }
  },
);

thorough.each(MECHANISMS)('a store of one kind is found by requests of this kind, under %j', async (mechanism) => {
  const parameters = { kinds: ['read'], kept: 2 } as const;
  const run = await runUnder([{ operator: 'counters-lost', parameters }], mechanism);
  const found = foundBy(proposeEvictions, 'read', run).flatMap(({ deviations }) => deviations);
  expect(found).toContainEqual({ operator: 'counters-lost', parameters });
  expect(foundBy(proposeEvictions, 'write', run)).toEqual([]);
});

test('counters that are made anew again and again keep one phase, though each shows another part of it', async () => {
  const parameters = { kinds: ['read', 'write'], kept: 4, store: 'of both kinds' } as const;
  const run = await runUnder([{ operator: 'counters-lost', parameters }]);
  expect(foundBy(proposeEvictions, 'write', run)[0]?.bits).toBeLessThan(40);
});
