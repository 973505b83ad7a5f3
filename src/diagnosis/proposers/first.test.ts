import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeFirsts } from './first.ts';

test.each([
  ['one', {}],
  ['three', { many: 3 }],
  ['twelve', { many: 12 }],
])('the first of a window that are not counted are found, and how many: %s', async (_, many) => {
  const free: Deviation = { operator: 'free-first-request', parameters: { kinds: ['read'], ...many } };
  const [cheapest] = foundBy(proposeFirsts, 'read', await runUnder([free]));
  expect(cheapest?.deviations).toEqual([free]);
});
