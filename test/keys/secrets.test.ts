import { expect, test } from 'vitest';
import { leaks } from './secrets.test-support.ts';

const KEY = 'zq7-recognisable+token/of 40 characters!';

test.each([
  ['as it is', KEY],
  ['percent-encoded', encodeURIComponent(KEY)],
  ['in base64 of a longer text', Buffer.from(`user:${KEY}:x`).toString('base64')],
  ['in base64 at another alignment', Buffer.from(`Bearer ${KEY}`).toString('base64url')],
  ['in hex', Buffer.from(KEY).toString('hex')],
  ['backwards', [...KEY].reverse().join('')],
  ['its first half', KEY.slice(0, 20)],
  ['its second half backwards', [...KEY.slice(20)].reverse().join('')],
])('the search finds a key %s', (_, text) => {
  expect(leaks([KEY], 'here', Buffer.from(`before ${text} after`))).not.toEqual([]);
});

test('the search finds nothing in its alias', () => {
  expect(leaks([KEY], 'here', 'key-1 … a token of some characters')).toEqual([]);
});
