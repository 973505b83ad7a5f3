import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeRetried } from './retried.ts';

test('slow requests that are counted twice are found with the time after which they are', async () => {
  const run = await runUnder([{ operator: 'retried', parameters: { kinds: ['read'], after: 500_000 } }]);
  const [found] = foundBy(proposeRetried, 'read', run);
  expect(found?.deviations).toMatchObject([{ operator: 'retried', parameters: { kinds: ['read'] } }]);
  // The fast requests take less than a millisecond, so any time up to the wait separates them.
  const after = found?.deviations.map(({ parameters }) => ('after' in parameters ? parameters.after : 0))[0];
  expect(after).toBeLessThanOrEqual(501_000);
  expect(foundBy(proposeRetried, 'write', run)).toEqual([]);
});

test('requests that are counted twice now and then, and are no slower, are not', async () => {
  const twice: Deviation = { operator: 'sporadic-weight', parameters: { kinds: ['read'], oneIn: 6, weight: 2 } };
  expect(foundBy(proposeRetried, 'read', await runUnder([twice]))).toEqual([]);
});
