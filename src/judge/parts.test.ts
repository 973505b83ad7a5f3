import { expect, test } from 'vitest';
import { allOf, onAll, share } from './parts.ts';

test('of one thing nothing is said as of many', () => {
  expect([allOf(1, 'operation'), allOf(3, 'operation')]).toEqual(['the only operation', 'all 3 operations']);
  expect([share(1, 1), share(2, 2), share(1, 2)]).toEqual(['the only answer', 'all 2 answers', '1 of 2 answers']);
  expect([onAll(1), onAll(2)]).toEqual(['on the only one', 'on all 2']);
});
