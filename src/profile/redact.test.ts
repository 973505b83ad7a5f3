import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formsOf, redactor } from './redact.ts';

const KEY = 'k"e/y+9 %é'.replace('é', '~7xQ');
const redact = redactor({ full: [KEY, `${KEY}-longer`], restricted: 'restricted-secret', revoked: null });

describe('a key is replaced by its alias', () => {
  test.each([
    ['as it is', `<${KEY}>`, '<key-1>'],
    ['percent-encoded', `?k=${encodeURIComponent(KEY)}&`, '?k=key-1&'],
    [
      'percent-encoded in small letters',
      encodeURIComponent(KEY).replace(/%../g, (each) => each.toLowerCase()),
      'key-1',
    ],
    ['as in a form', encodeURIComponent(KEY).replaceAll('%20', '+'), 'key-1'],
    ['in JSON', JSON.stringify({ k: KEY }), '{"k":"key-1"}'],
    ['in JSON with \\/', JSON.stringify({ k: KEY }).replaceAll('/', '\\/'), '{"k":"key-1"}'],
    ['in base64', btoa(KEY), 'key-1'],
    ['longest first', `${KEY}-longer`, 'key-2'],
    ['of another role', 'Bearer restricted-secret', 'Bearer restricted'],
  ])('%s', (_, text, expected) => expect(redact(text)).toBe(expected));

  test('a text without a key stays as it is', () => {
    expect(redact('nothing of interest')).toBe('nothing of interest');
    expect(redactor({ full: [], restricted: null, revoked: null })('a')).toBe('a');
  });
});

describe('whatever the key', () => {
  const key = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 8,
    maxLength: 40,
  });
  const around = fc.string({ unit: fc.constantFrom('<', '>', '\n', '\t', '\u00e9') });

  test('none of its forms is left', () => {
    fc.assert(
      fc.property(key, around, around, (secret, before, after) => {
        fc.pre(!'key-1'.includes(secret));
        const clean = redactor({ full: [secret], restricted: null, revoked: null });
        for (const form of formsOf(secret)) expect(clean(before + form + after)).toBe(`${before}key-1${after}`);
      }),
    );
  });

  test('it does not survive inside of a longer base64 text', () => {
    fc.assert(
      fc.property(
        key,
        fc.string({ unit: 'binary-ascii', maxLength: 7 }),
        fc.string({ unit: 'binary-ascii', maxLength: 7 }),
        (secret, user, rest) => {
          const clean = redactor({ full: [secret], restricted: null, revoked: null });
          for (const encoding of ['base64', 'base64url'] as const) {
            const text = Buffer.from(`${user}${secret}${rest}`).toString(encoding);
            expect(clean(text)).toContain('key-1');
            expect(Buffer.from(clean(text), encoding).toString()).not.toContain(secret);
          }
        },
      ),
    );
  });
});
