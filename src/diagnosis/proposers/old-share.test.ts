import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeOldShares } from './old-share.ts';

const KINDS = ['read', 'write'] as const;

test.each(
  sampled(
    [
      ['half of it', 0.5, { name: 'grid', phase: 'clock' }],
      ['a quarter of it', 0.25, { name: 'anchored', wholeSecond: false }],
      ['more and more of it', 'elapsed', { name: 'grid', phase: 'process' }],
    ] as const,
    10,
  ),
)('how much of an old count is still counted is found: %s', async (_, share, mechanism) => {
  const deviation: Deviation = { operator: 'carried-over', parameters: { kinds: KINDS, what: 'share', share } };
  const run = await runUnder([deviation], mechanism);
  for (const kind of KINDS) {
    const [found] = foundBy(proposeOldShares, kind, run);
    expect(found?.deviations).toEqual([{ ...deviation, parameters: { kinds: [kind], what: 'share', share } }]);
  }
});

thorough('windows that begin with nothing counted, or that are blocked for a while, carry no share', async () => {
  const owed: Deviation = { operator: 'carried-over', parameters: { kinds: KINDS, what: 'old count' } };
  const run = await runUnder([owed], { name: 'anchored', wholeSecond: false });
  for (const kind of KINDS) expect(foundBy(proposeOldShares, kind, run)).toEqual([]);
});
