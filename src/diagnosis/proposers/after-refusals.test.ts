import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import { ANCHORED, failed, GRID, LOG } from '../../accuracy/virtual/situation.test-support.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Kind } from '../../trace/exchange.ts';
import { proposeAfterRefusals } from './after-refusals.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';

function open(kinds: readonly Kind[], after: number): Deviation {
  return { operator: 'sporadic-admission', parameters: { kinds, oneIn: 1, which: 'over the limit', after } };
}

test.each(
  sampled(
    [
      ['read', 6, GRID],
      ['write', 3, GRID],
      ['read', 2, ANCHORED],
      ['write', 5, ANCHORED],
    ] as const,
    10,
  ),
)('%ss that are let through after %i refusals of a window are found: %o', async (kind, after, mechanism) => {
  const deviation = open([kind], after);
  const found = foundBy(proposeAfterRefusals, kind, await runUnder([deviation], mechanism));
  expect(found[0]?.deviations).toEqual([deviation]);
});

thorough('what is let through by chance follows no number of refusals', async () => {
  const parameters = { kinds: ['read'], oneIn: 3, which: 'over the limit' } as const;
  const run = await runUnder([{ operator: 'sporadic-admission', parameters }]);
  expect(foundBy(proposeAfterRefusals, 'read', run)).toEqual([]);
  for (const mechanism of [GRID, LOG]) {
    expect(foundBy(proposeAfterRefusals, 'write', await runUnder([], mechanism))).toEqual([]);
  }
});

thorough('a limiter that opens after some refusals breaks the limit, and nothing else', async () => {
  expect(await failed({ mechanism: GRID, keys: 3, deviations: [open(['read'], 4)] })).toEqual(['LIMIT-R']);
});
