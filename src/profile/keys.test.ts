import { describe, expect, test } from 'vitest';
import { namedKeys, readKeys } from './keys.ts';

test('keys are read by role, trimmed, and numbered from 1', () => {
  const read = readKeys({
    SIZE_CHART_KEYS: ' a1 , b2,c3',
    SIZE_CHART_RESTRICTED_KEY: 'r4 ',
    SIZE_CHART_REVOKED_KEY: '',
  });
  expect(read).toEqual({ keys: { full: ['a1', 'b2', 'c3'], restricted: 'r4', revoked: null } });
  expect('keys' in read && namedKeys(read.keys).map(({ alias }) => alias)).toEqual([
    'key-1',
    'key-2',
    'key-3',
    'restricted',
  ]);
});

test('without variables there are no keys, and no error', () => {
  expect(readKeys({ SIZE_CHART_KEYS: ' ' })).toEqual({ keys: { full: [], restricted: null, revoked: null } });
});

describe('an error holds no key', () => {
  test.each([
    [
      { SIZE_CHART_KEYS: 's3cret,' },
      'entry 2 of SIZE_CHART_KEYS is empty. Separate the keys by one comma each, with none at the end.',
    ],
    [
      { SIZE_CHART_KEYS: 's3cret,x,s3cret' },
      'entry 3 of SIZE_CHART_KEYS is the same key as entry 1 of SIZE_CHART_KEYS. Name each key once: a key has one budget, however often it is named.',
    ],
    [
      { SIZE_CHART_KEYS: 's3\ncret' },
      'entry 1 of SIZE_CHART_KEYS has a character at position 3 that cannot stand in an HTTP header (control or not ASCII). Copy the key again from the administration panel.',
    ],
    [
      { SIZE_CHART_REVOKED_KEY: 's3crét' },
      'SIZE_CHART_REVOKED_KEY has a character at position 5 that cannot stand in an HTTP header (control or not ASCII). Copy the key again from the administration panel.',
    ],
    [{ SIZE_CHART_RESTRICTED_KEY: 's3cret,b' }, 'SIZE_CHART_RESTRICTED_KEY holds a comma. It takes one key.'],
    [
      { SIZE_CHART_KEYS: 's3cret', SIZE_CHART_RESTRICTED_KEY: 's3cret' },
      'SIZE_CHART_RESTRICTED_KEY is the same key as entry 1 of SIZE_CHART_KEYS. The restricted key must be one that lacks permission for some operation.',
    ],
    [
      { SIZE_CHART_RESTRICTED_KEY: 's3cret', SIZE_CHART_REVOKED_KEY: 's3cret' },
      'SIZE_CHART_REVOKED_KEY is the same key as SIZE_CHART_RESTRICTED_KEY. The revoked key must be one that is accepted no more.',
    ],
  ])('%#', (env, message) => {
    expect(readKeys(env)).toEqual({ errors: [message] });
  });
});
