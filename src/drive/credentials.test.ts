import fc from 'fast-check';
import { expect, test } from 'vitest';
import { altered, lengthened, misfitKeys, shortened } from './credentials.ts';

const keys = fc.string({ minLength: 1, unit: 'grapheme-ascii' });
const bytes = fc.uint8Array({ minLength: 8, maxLength: 48 });

test('no key is altered, lengthened or shortened into itself', () => {
  fc.assert(
    fc.property(keys, (key) => {
      expect([altered(key), lengthened(key), shortened(key)]).not.toContain(key);
      expect(altered(key)).toHaveLength(key.length);
      expect(lengthened(key).startsWith(key)).toBe(true);
      expect(key.startsWith(shortened(key))).toBe(true);
    }),
  );
});

test.each(['base64', 'base64url', 'hex'] as const)('nor into another spelling of the same bytes in %s', (encoding) => {
  fc.assert(
    fc.property(bytes, (secret) => {
      const key = Buffer.from(secret).toString(encoding);
      const same = (other: string) => Buffer.from(other.replace(/=+$/, ''), encoding).equals(secret);
      expect(same(key)).toBe(true);
      expect(same(altered(key))).toBe(false);
      expect(same(shortened(key))).toBe(false);
      // Padding ends what a lenient reader reads: nothing that follows it can be told.
      if (!key.endsWith('=')) expect(same(lengthened(key))).toBe(false);
    }),
  );
});

test('a numbered key is not altered into the next', () => {
  expect(altered('key-7')).toBe('keyx7');
});

test('what is another key of the run is no misfit', () => {
  const names = (valid: readonly string[]) => misfitKeys('abcabc', valid).map(({ variation }) => variation);
  expect(names(['abcabc'])).toEqual(['lengthened', 'shortened']);
  expect(names(['abcabc', 'abca'])).toEqual(['lengthened']);
  expect(misfitKeys('k', []).map(({ variation }) => variation)).toEqual(['lengthened']);
});
