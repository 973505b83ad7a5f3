import { expect, test } from 'vitest';
import { sampled } from '../../../test/sampled.test-support.ts';
import { type Mechanism, SECOND } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeOverage } from './overage.ts';

const ANCHORED: Mechanism = { name: 'anchored', wholeSecond: false };
const BOTH = ['read', 'write'] as const;

const carried = (what: 'unused' | 'refusals', most?: number): Deviation => ({
  operator: 'carried-over',
  parameters: { kinds: BOTH, what, ...(most === undefined ? {} : { most }) },
});

test.each<Mechanism>(sampled([{ name: 'grid', phase: 'process' }, { name: 'grid', phase: 'clock' }, ANCHORED], 3))(
  'windows that begin with what the one before refused are found: %j',
  async (mechanism) => {
    const run = await runUnder([carried('refusals')], mechanism);
    for (const kind of BOTH) {
      expect(foundBy(proposeOverage, kind, run).map(({ deviations }) => deviations)).toEqual([
        [{ operator: 'carried-over', parameters: { kinds: [kind], what: 'refusals' } }],
      ]);
    }
  },
);

test.each(sampled([3, 10, 17], 3))('so are those that begin with %d of these at the most', async (most) => {
  const run = await runUnder([carried('refusals', most)], ANCHORED);
  for (const kind of BOTH) {
    expect(foundBy(proposeOverage, kind, run).map(({ deviations }) => deviations)).toEqual([
      [{ operator: 'carried-over', parameters: { kinds: [kind], what: 'refusals', most } }],
    ]);
  }
});

test.each<[string, readonly Deviation[]]>([
  ['windows that begin with nothing', []],
  ['windows that get what was left', [carried('unused')]],
  [
    'later windows with a lower limit',
    BOTH.map((kind) => ({
      operator: 'other-limit',
      parameters: {
        kind,
        limit: 20,
        limitHeader: kind === 'read' ? 100 : 30,
        remainingFrom: 20,
        from: 'later windows',
      },
    })),
  ],
  [
    'refusals that put off the end',
    [
      {
        operator: 'moved-end',
        parameters: { kinds: BOTH, trigger: 'refusal', to: { after: 30 * SECOND }, idle: 0, told: true },
      },
    ],
  ],
  [
    'requests that count twice now and then',
    [{ operator: 'sporadic-weight', parameters: { kinds: BOTH, oneIn: 10, weight: 2 } }],
  ],
])('no refusals are said to be carried over by %s', async (_, deviations) => {
  const run = await runUnder(deviations, ANCHORED);
  for (const kind of BOTH) expect(foundBy(proposeOverage, kind, run)).toEqual([]);
});
