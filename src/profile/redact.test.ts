import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leaks } from '../../test/keys/secrets.test-support.ts';
import { tried } from '../../test/sampled.test-support.ts';
import { keyHider } from './hide-keys.ts';
import { TRANSFORMATIONS } from './transformations.test-support.ts';

const KEY = 'k"e/y+9 %~7xQ&mN4pR8';
const redact = keyHider({ full: [KEY, `${KEY}-longer`], restricted: 'restricted-secret', revoked: null });

describe('a key is replaced by its alias', () => {
  test.each([
    ['as it is', `<${KEY}>`, '<key-1>'],
    ['percent-encoded', `?k=${encodeURIComponent(KEY)}&`, '?k=key-1&'],
    ['in JSON', JSON.stringify({ k: KEY }), '{"k":"key-1"}'],
    ['in JSON with \\/', JSON.stringify({ k: KEY }).replaceAll('/', '\\/'), '{"k":"key-1"}'],
    ['in base64', btoa(KEY), 'key-1='],
    ['longest first', `${KEY}-longer`, 'key-2'],
    ['of another role', 'Bearer restricted-secret', 'Bearer restricted'],
    ['twice', `${KEY} ${KEY}`, 'key-1 key-1'],
  ])('%s', (_, text, expected) => expect(redact(text)).toBe(expected));

  test('a text without a key stays as it is', () => {
    for (const text of [
      'nothing of interest',
      'Sun, 22 Nov 2026 08:41:48 GMT',
      '6fa459ea-ee8a-3ca4-894e-db77e160355e',
    ]) {
      expect(redact(text)).toBe(text);
    }
    expect(keyHider({ full: [], restricted: null, revoked: null })('a')).toBe('a');
  });
});

const character = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const letter = fc.constantFrom(...'ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz0123456789');
/** At least 16 letters and digits, and whatever else a key may hold. */
const key = fc
  .tuple(
    fc.array(letter, { minLength: 16, maxLength: 40 }),
    fc.array(fc.tuple(fc.nat(40), character), { maxLength: 6 }),
  )
  .map(([letters, others]) => {
    const chars = [...letters];
    for (const [at, other] of others) chars.splice(at, 0, other);
    return chars.join('');
  });
const around = fc.constantFrom('', '<', '\n', 'é ', '; a=', 'Bearer ', '"', ', ');
const way = fc.constantFrom(...Object.keys(TRANSFORMATIONS));

/** A key with nothing of a pattern in it, so that what is left of it can be told from chance. */
function hasPattern(secret: string): boolean {
  return new Set(secret).size < 8;
}

describe('whatever the key', () => {
  test('no transformation of it is left', () => {
    fc.assert(
      fc.property(key, way, around, around, (secret, name, before, after) => {
        fc.pre(!hasPattern(secret));
        const text = TRANSFORMATIONS[name]?.(secret) ?? '';
        const clean = keyHider({ full: [secret], restricted: null, revoked: null })(before + text + after);
        expect(clean).toContain('key-1');
        const [kept = '', told = ''] = [clean.replaceAll('key-1', ''), text].map((each) =>
          each.replace(/[^0-9a-z]/gi, ''),
        );
        for (let at = 0; at + 12 <= told.length; at += 1) expect(kept).not.toContain(told.slice(at, at + 12));
      }),
      { numRuns: tried(600) },
    );
  });

  test('two transformations, one within the other, hide it no better', () => {
    fc.assert(
      fc.property(key, way, way, fc.nat(3), (secret, inner, outer, encoded) => {
        fc.pre(!hasPattern(secret));
        let text = TRANSFORMATIONS[inner]?.(secret) ?? '';
        // As what was read off a body goes into the path of the next request.
        for (let times = 0; times < encoded; times += 1) text = encodeURIComponent(text);
        const clean = keyHider({ full: [secret], restricted: null, revoked: null })(
          TRANSFORMATIONS[outer]?.(text) ?? '',
        );
        expect(leaks([secret], 'clean', clean)).toEqual([]);
      }),
      {
        numRuns: 300,
        examples: [
          // No byte starts where a digit does until the sixth; and a number that a part of a digest looks like.
          ['C2Q2hgdCYyXBFj6rc', 'in base32', 'without its first and last character', 0],
          ['qQH8cmNsxfnVFWnyfnwMbb2RnzjmGAs3awrzg)', 'its MD5 in capitals', 'its first twelve letters and digits', 0],
        ],
      },
    );
  });

  test('what is sent for Basic hides it no better, be it encoded again and its case lost', () => {
    fc.assert(
      fc.property(key, fc.constantFrom('', ':', 'user:'), (secret, user) => {
        fc.pre(!hasPattern(secret));
        const basic = Buffer.from(user + secret).toString('base64');
        const clean = keyHider({ full: [secret], restricted: null, revoked: null })(
          Buffer.from(basic).toString('base64').toLowerCase(),
        );
        // What stands beside the key in the longer text, and the digits that it shares with it.
        expect(clean).toContain('key-1');
        expect(clean.replaceAll('key-1', '').length).toBeLessThan(24);
      }),
    );
  });

  test('a text that has nothing to do with it stays as it is', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary-ascii', maxLength: 100 }),
      fc.uuid(),
      fc.base64String({ maxLength: 100 }),
    );
    fc.assert(
      fc.property(key, text, (secret, other) => {
        fc.pre(!hasPattern(secret));
        expect(keyHider({ full: [secret], restricted: null, revoked: null })(other)).toBe(other);
      }),
      { numRuns: 300 },
    );
  });
});

describe('numbers', () => {
  const digits = { full: ['4711081547110815'], restricted: null, revoked: null };

  test('a limit, a count and a time are left alone', () => {
    for (const number of ['0', '100', '1763800000', '1763800000000', '1763800000000000', ' 57 ']) {
      expect(keyHider(digits)(number)).toBe(number);
      expect(keyHider({ full: [KEY], restricted: null, revoked: null })(number)).toBe(number);
    }
  });

  test('what is nearly a key makes a key of no number', () => {
    const keys = { full: ['1763800000a', 'ab1763800'], restricted: null, revoked: null };
    const hide = keyHider(
      keys,
      new Map([
        ['1763800000', 'key-1'],
        ['63800', 'key-2'],
      ]),
    );
    for (const number of ['1763800000', '1763800060', '63800', '1763800000000']) expect(hide(number)).toBe(number);
    expect(hide('k=1763800000a')).toBe('k=key-1');
  });

  test('a key of digits, or twelve of its digits, is not', () => {
    for (const number of ['4711081547110815', '04711081547110815', '471108154711', '5180117451801174']) {
      expect(keyHider(digits)(number)).not.toMatch(/\d{5}/);
    }
  });
});
