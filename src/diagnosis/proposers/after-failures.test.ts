import { expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import { SECOND } from '../../deployment/deployment.ts';
import { proposeBlocksAfterFailures } from './after-failures.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';

const BOTH = ['read', 'write'] as const;

thorough.each([
  [[404], 1, 5 * SECOND],
  [[404], 2, 15 * SECOND],
  [[404], 5, 30 * SECOND],
])(
  'keys that are turned away after requests answered %j, %d of them, for %d µs are found',
  async (statuses, count, length) => {
    const afterFailures = { statuses, count, length };
    const run = await runUnder([
      { operator: 'early-refusal', parameters: { kinds: BOTH, underWay: null, oneIn: 1, afterFailures } },
    ]);
    const found = BOTH.flatMap((kind) => foundBy(proposeBlocksAfterFailures, kind, run).slice(0, 1));
    expect(found.length).toBeGreaterThan(0);
    for (const { deviations } of found)
      expect(deviations).toMatchObject([{ parameters: { afterFailures: { count } } }]);
  },
);

test('a key that is turned away at the end of the run is so from then on', async () => {
  const afterFailures = { statuses: [404], count: 10, length: null };
  const run = await runUnder([
    { operator: 'early-refusal', parameters: { kinds: BOTH, underWay: null, oneIn: 1, afterFailures } },
  ]);
  const found = foundBy(proposeBlocksAfterFailures, 'read', run)[0]?.deviations;
  expect(found).toMatchObject([{ parameters: { afterFailures: { length: null } } }]);
});

test('no failed request explains refusals that come now and then', async () => {
  const run = await runUnder([{ operator: 'early-refusal', parameters: { kinds: BOTH, underWay: null, oneIn: 10 } }]);
  for (const kind of BOTH) expect(foundBy(proposeBlocksAfterFailures, kind, run)).toEqual([]);
});
