import { expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { proposeClassHeaders } from './class-headers.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';

const to = { attribute: 'operation', classes: ['update-label'] } as const;
const only = { statuses: [200], to };
const kinds = ['write'] as const;

const WRONG: readonly Deviation[] = [
  { operator: 'remaining-header', parameters: { kinds, change: { offset: 1 }, only } },
  { operator: 'remaining-header', parameters: { kinds, change: { offset: -2 }, only } },
  { operator: 'remaining-header', parameters: { kinds, change: 'the limit', only } },
  { operator: 'remaining-header', parameters: { kinds, change: { constant: 7 }, only } },
  { operator: 'marker-header', parameters: { kinds, change: { offset: 60_000_000 }, only } },
  { operator: 'marker-header', parameters: { kinds, change: { offset: -2_000_000 }, only } },
  { operator: 'marker-header', parameters: { kinds, change: { ahead: 60_000_000 }, only } },
  { operator: 'marker-header', parameters: { kinds, change: 'other unit', only } },
];

thorough.each(WRONG)('a header that is wrong on the answers of one operation is named by it: %j', async (wrong) => {
  const run = await runUnder([wrong]);
  const [cheapest] = foundBy(proposeClassHeaders, 'write', run);
  expect(cheapest?.deviations).toMatchObject([
    { operator: wrong.operator, parameters: { change: 'change' in wrong.parameters && wrong.parameters.change } },
  ]);
  expect(cheapest?.deviations).toMatchObject([{ parameters: { only: { statuses: [200] } } }]);
});

test('nothing is read off the answers of a deployment that conforms', async () => {
  const run = await runUnder([]);
  for (const kind of ['read', 'write'] as const) expect(foundBy(proposeClassHeaders, kind, run)).toEqual([]);
});
