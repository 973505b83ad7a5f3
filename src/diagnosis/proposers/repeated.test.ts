import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeRepeated } from './repeated.ts';

const cache: Deviation = {
  operator: 'finer-scope',
  parameters: {
    ...{ kinds: ['read'], attribute: 'operation', blocks: [], exempt: ['list-labels'] },
    ...{ others: 'together', exemptHeaders: 'repeated' },
  },
};
const race: Deviation = {
  operator: 'lost-updates',
  parameters: { kinds: ['read', 'write'], gap: 4000, when: 'always' },
};

test('an operation whose answers repeat earlier ones is found', async () => {
  const run = await runUnder([cache]);
  expect(foundBy(proposeRepeated, 'read', run)[0]?.deviations).toEqual([cache]);
  expect(foundBy(proposeRepeated, 'write', run)).toEqual([]);
});

test('requests under way together that lose each other’s count repeat no answer', async () => {
  const run = await runUnder([race]);
  for (const kind of ['read', 'write'] as const) expect(foundBy(proposeRepeated, kind, run)).toEqual([]);
});

test('a write is never answered from a cache, whatever its answers repeat', async () => {
  const { budgets, anonymous } = await runUnder([cache]);
  const byPut = budgets.map(({ history }) => ({
    history: {
      ...history,
      events: history.events.map((event) => ({ ...event, exchange: { ...event.exchange, method: 'PUT' } })),
    },
  }));
  expect(foundBy(proposeRepeated, 'read', { budgets: byPut, anonymous })).toEqual([]);
});
