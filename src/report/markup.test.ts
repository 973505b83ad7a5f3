import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeMarkup, markup, prose } from './markup.ts';
import { printable, shorten } from './printable.ts';

test('interpolated text cannot leave its place, in content or in an attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(markup`<a title="${text}">${text}</a>`.markup).toMatch(/^<a title="[^"<>]*">[^<>]*<\/a>$/);
    }),
  );
});

test('markup is not escaped twice, lists are joined, and what is not there gives nothing', () => {
  const item = markup`<li>${'a & b'}</li>`;
  expect(markup`<ul>${[item, item]}${null}${false}${undefined}${7}</ul>`.markup).toBe(
    '<ul><li>a &amp; b</li><li>a &amp; b</li>7</ul>',
  );
});

test('prose marks code, and leaves an unpaired back-tick alone', () => {
  expect(prose('`X-API-Key` is <accepted>').markup).toBe('<code>X-API-Key</code> is &lt;accepted&gt;');
  expect(prose('a ` b').markup).toBe('a ` b');
});

test('printable text has no control, reordering or lone surrogate character, and plain text is untouched', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(printable(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
    }),
  );
  expect(printable('Größe: 40 “XL” → 日本')).toBe('Größe: 40 “XL” → 日本');
  expect(printable('\x1b[2J\u202e\n')).toBe('\\x1b[2J\\u202e\\n');
  expect(escapeMarkup('\ud800')).toBe('\\ud800');
});

test('shortened text keeps its limit', () => {
  expect(shorten('abcdef', 4)).toBe('abc…');
  expect(shorten('abcd', 4)).toBe('abcd');
});
