import { expect, test } from 'vitest';
import { operationOf } from '../../profile/profile.test-support.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { nothingSucceeds } from './preflight.ts';

const PROFILE = {
  operations: [
    operationOf({ id: 'read' }),
    operationOf({ id: 'make', group: 'labels', kind: 'write', method: 'POST' }),
    operationOf({ id: 'get', group: 'labels', prepare: ['make'] }),
    operationOf({ id: 'list', group: 'categories' }),
  ],
};

type Answer = readonly [operation: string, status: number, rest?: Partial<Exchange>];

/** The cause after these answers; null if the run continues. */
function after(...answers: readonly Answer[]) {
  const see = nothingSucceeds(PROFILE);
  return answers.reduce<string | null>((cause, [operation, status, rest]) => {
    const exchange = {
      operation,
      status,
      fault: 'none',
      key: 'key-1',
      method: 'GET',
      target: `/${operation}`,
      ...rest,
    };
    return cause ?? see(exchange as Exchange);
  }, null);
}

test('a group of which nothing succeeds ends the run, and what is prepared by it needs no request', () => {
  expect(after(['read', 200], ['list', 200], ['make', 404])).toBe(
    'no operation of the group labels succeeds with a full key: make (GET /make) was answered 404. Correct the profile, or base_url; doctor shows each answer',
  );
});

test('so does a kind', () => {
  expect(after(['read', 404])).toMatch(/^no operation of the group service/);
  expect(after(['list', 200], ['make', 200], ['read', 200])).toBeNull();
});

test.each<[string, readonly Answer[]]>([
  [
    'a success before',
    [
      ['read', 200],
      ['read', 404],
    ],
  ],
  ['a faulty request', [['read', 404, { fault: 'missing' }]]],
  ['the restricted key', [['read', 403, { key: 'restricted' }]]],
  ['a key that is not accepted', [['read', 401]]],
  ['a spent budget', [['read', 429]]],
  ['an internal failure', [['read', 500]]],
])('%s says nothing', (_, answers) => {
  expect(after(...answers)).toBeNull();
});
