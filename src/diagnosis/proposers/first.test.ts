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

test.each([
  { name: 'log', logRefused: false, reset: 'oldest' },
  { name: 'anchored', wholeSecond: false },
] as const)('a first request that is judged by the old count is found: %j', async (mechanism) => {
  const old: Deviation = { operator: 'carried-over', parameters: { kinds: ['read'], what: 'old count' } };
  const run = await runUnder([old], mechanism);
  expect(foundBy(proposeFirsts, 'read', run).map(({ deviations }) => deviations)).toEqual([[old]]);
});
