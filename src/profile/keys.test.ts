import { describe, expect, test } from 'vitest';
import { namedKeys, readKeys } from './keys.ts';

test('keys are read by role, trimmed, and numbered from 1', () => {
  const read = readKeys({
    SIZE_CHART_KEYS: ' a1-full-key , b2-full-key,c3-full-key',
    SIZE_CHART_RESTRICTED_KEY: 'r4-restricted ',
    SIZE_CHART_REVOKED_KEY: '',
  });
  expect(read).toEqual({
    keys: { full: ['a1-full-key', 'b2-full-key', 'c3-full-key'], restricted: 'r4-restricted', revoked: null },
  });
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
      { SIZE_CHART_KEYS: 's3cret-4711,' },
      'entry 2 of SIZE_CHART_KEYS is empty. Put one comma between two keys, and none at the end.',
    ],
    [
      { SIZE_CHART_KEYS: 's3cret-4711,other-key-1,s3cret-4711' },
      'entry 3 of SIZE_CHART_KEYS is the same key as entry 1 of SIZE_CHART_KEYS. List each key once: a key has one budget, however often it is listed.',
    ],
    [
      { SIZE_CHART_KEYS: 's3\ncret' },
      'entry 1 of SIZE_CHART_KEYS has a character at position 3 that an HTTP header cannot contain (control or not ASCII). Copy the key again from the administration panel.',
    ],
    [
      { SIZE_CHART_REVOKED_KEY: 's3crét' },
      'SIZE_CHART_REVOKED_KEY has a character at position 5 that an HTTP header cannot contain (control or not ASCII). Copy the key again from the administration panel.',
    ],
    [{ SIZE_CHART_RESTRICTED_KEY: 's3cret-4711,b' }, 'SIZE_CHART_RESTRICTED_KEY contains a comma. Set it to one key.'],
    [
      { SIZE_CHART_KEYS: 's3cret-4711', SIZE_CHART_RESTRICTED_KEY: 's3cret-4711' },
      'SIZE_CHART_RESTRICTED_KEY is the same key as entry 1 of SIZE_CHART_KEYS. The restricted key must be one that lacks permission for some operation.',
    ],
    [
      { SIZE_CHART_RESTRICTED_KEY: 's3cret-4711', SIZE_CHART_REVOKED_KEY: 's3cret-4711' },
      'SIZE_CHART_REVOKED_KEY is the same key as SIZE_CHART_RESTRICTED_KEY. The revoked key must be one that is no longer accepted.',
    ],
  ])('%#', (env, message) => {
    expect(readKeys(env)).toEqual({ errors: [message] });
  });
});

describe('a key is looked at before it is used', () => {
  test('a backtick at one end is part of the key', () => {
    expect(readKeys({ SIZE_CHART_KEYS: 'zq7-recognisable-token`' })).not.toHaveProperty('errors');
  });

  test.each([
    ['"zq7-recognisable-token"', 'is in quotation marks. Remove them.'],
    ["'zq7-recognisable-token'", 'is in quotation marks. Remove them.'],
    ['`zq7-recognisable-token`', 'is in quotation marks. Remove them.'],
    ['"zq7-recognisable-token', 'is in quotation marks. Remove them.'],
    ['Bearer zq7-recognisable-token', 'has something before the key, such as "Bearer".'],
    ['X-API-Key: zq7-recognisable-token', 'has something before the key, such as "Bearer".'],
    ['zq7-recognisable-token;zq8-recognisable-token', 'contains a semicolon. Separate keys with commas.'],
    ['first', 'is a placeholder.'],
    ['your-api-key', 'is a placeholder.'],
    ['<API_KEY>', 'is a placeholder.'],
    ['service', 'has fewer than 8 characters'],
    ['********************', 'has fewer than 8 characters, or too few different ones'],
    ['4711-0815-11', 'has no letters and fewer than 12 digits'],
    [`zq7-${'recognisable'.repeat(2_700)}`, 'has 32404 characters, more than a header can hold.'],
  ])('%.40s', (key, problem) => {
    const read = readKeys({ SIZE_CHART_KEYS: key });
    const errors = 'errors' in read ? read.errors : [];
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(`entry 1 of SIZE_CHART_KEYS ${problem}`);
    expect(errors[0]).not.toContain('recognisable');
  });

  test.each(['4711-0815-1147', 'ab12cd34', 'eyJhbGciOi.eyJzdWIiOiIx.SflKxw_R-JSM=', 'k e y with spaces'])(
    '%s is taken as it is',
    (key) => {
      expect(readKeys({ SIZE_CHART_KEYS: key })).toHaveProperty('keys.full', [key]);
    },
  );
});
