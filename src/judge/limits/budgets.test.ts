import { expect, test } from 'vitest';
import { headers, type Sketch, traceOf } from '../trace-builder.test-support.ts';
import { readEvidence } from './budgets.ts';

const bad: Sketch = { fault: 'bad-key', variation: 'longer at the end' };

test('a bad key that is taken for a good one may be counted on the budget of that key', () => {
  const { budgets, anonymous } = readEvidence(traceOf([{}, { ...bad, status: 200 }, {}]));
  expect(budgets.map(({ key, history }) => [key, history.events.map(({ outcome }) => outcome)])).toEqual([
    ['key-1', ['accepted', 'unclear', 'accepted']],
  ]);
  expect(anonymous).toEqual([]);
});

test.each([
  ['is rejected', { ...bad, status: 401 }],
  ['has no answer', { ...bad, failure: 'timeout' as const }],
  ['is a revoked one', { ...bad, variation: 'revoked', status: 200 }],
])('one that %s belongs to no budget', (_, sketch) => {
  const { budgets, anonymous } = readEvidence(traceOf([{}, sketch]));
  expect(budgets.map(({ history }) => history.events.length)).toEqual([1]);
  expect(anonymous).toHaveLength(1);
});

test.each([
  ['the other kind may be counted as one of it', '30', 2],
  ['its own kind is one of these', '100', 1],
])('an unknown path whose answer states the limit of %s', (_, limit, events) => {
  const unknown: Sketch = { operation: null, fault: 'unstated', status: 404, headers: headers({ limit: [limit] }) };
  const { budgets } = readEvidence(traceOf([unknown, { operation: 'put-label' }]));
  expect(budgets.map(({ kind, history }) => [kind, history.events.length])).toEqual([
    ['read', 1],
    ['write', events],
  ]);
});
