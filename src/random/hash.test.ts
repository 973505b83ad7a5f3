import { expect, test } from 'vitest';
import { hashOf } from './hash.ts';

// From the test suite of draft-eastlake-fnv.
test.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('the hash of %j', (text, due) => {
  expect(hashOf(text)).toBe(due);
});
