import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeOtherPolicies } from './other-policy.ts';

const parameters = { kinds: ['read', 'write'], only: { statuses: [200] } } as const;
const limit: Deviation = { operator: 'limit-header', parameters: { ...parameters, change: { constant: 1000 } } };
const remaining: Deviation = { operator: 'remaining-header', parameters: { ...parameters, change: { offset: 900 } } };
const marker: Deviation = { operator: 'marker-header', parameters: { ...parameters, change: { offset: 840_000_000 } } };

test.each([
  ['remaining-header', [remaining]],
  ['marker-header', [marker]],
  ['remaining-header,marker-header', [remaining, marker]],
])(
  'answers with the headers of another policy are known by the limit that they tell: %s',
  async (found, deviations) => {
    const run = await runUnder([limit, ...deviations], { name: 'anchored', wholeSecond: false });
    for (const kind of ['read', 'write'] as const) {
      const [explained] = foundBy(proposeOtherPolicies, kind, run);
      expect(explained?.deviations.map(({ operator }) => operator).join()).toBe(found);
    }
  },
);

test('where the limit that is told is the one that applies, no header is that of another policy', async () => {
  expect(foundBy(proposeOtherPolicies, 'read', await runUnder([remaining, marker]))).toEqual([]);
});
