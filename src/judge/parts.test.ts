import { expect, test } from 'vitest';
import { allOf, describe, onAll, share } from './parts.ts';
import { exchanges, KEYLESS } from './trace-builder.test-support.ts';

test('of one thing nothing is said as of many', () => {
  expect([1, 2, 3].map((total) => allOf(total, 'operation'))).toEqual([
    'the only operation',
    'both operations',
    'all 3 operations',
  ]);
  expect([share(1, 1), share(2, 2), share(1, 2)]).toEqual(['the only answer', 'both answers', '1 of 2 answers']);
  expect([onAll(1), onAll(2), onAll(3)]).toEqual(['on the only one', 'on both', 'on all 3']);
});

test.each([
  [{}, 'with key-1 by X-API-Key'],
  [{ key: 'restricted', fault: 'permission' }, 'with the restricted key by X-API-Key'],
  [KEYLESS, 'with no key'],
] as const)('a request is named with its key: %j', (sketch, named) => {
  expect(exchanges(sketch).map(describe)).toEqual([expect.stringMatching(new RegExp(`^#1 GET \\S+ ${named}$`))]);
});
