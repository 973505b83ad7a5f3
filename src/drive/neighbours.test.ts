import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BAD_KEYS, OF_EVERY_KEY, TOGETHER } from '../catalogue/key-states.ts';
import { neighboursOf } from './neighbours.ts';

const NEIGHBOURS = BAD_KEYS.filter(({ family }) => family === 'altered').map(({ name }) => name);
const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' }).filter((each) => each.trim() === each);
const bytes = fc.uint8Array({ minLength: 18, maxLength: 18 });

/** Two random keys in this encoding. */
function drawn(encoding: BufferEncoding): fc.Arbitrary<[string, string]> {
  const key = bytes.map((each) => Buffer.from(each).toString(encoding));
  return fc
    .tuple(key, key)
    .filter(([one, other]) => [...one].filter((each, index) => each !== other[index]).length >= 12);
}

test('no neighbour is a key of the run, whatever the keys are', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (keys) => {
      for (const key of keys) for (const each of neighboursOf(key, keys).values()) expect(keys).not.toContain(each);
    }),
  );
});

test('some forms every key has, and of others all keys have all or none', () => {
  const key = fc.oneof(text, fc.stringMatching(/^[a-z]{8,20}$/), fc.stringMatching(/^[0-9]{12}$/));
  const several = fc.uniqueArray(
    key.filter((each) => each.length >= 8),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(fc.oneof(several, drawn('hex'), drawn('base64')), (keys) => {
      const found = keys.map((each) => neighboursOf(each, keys));
      for (const each of found) for (const name of OF_EVERY_KEY) expect(each.has(name), name).toBe(true);
      for (const group of TOGETHER) {
        const has = found.flatMap((each) => [...group].map((name) => each.has(name)));
        expect(new Set(has).size, [...group].join()).toBe(1);
      }
    }),
    { numRuns: 1000 },
  );
});

test('a key of another length takes no form from keys that are drawn', () => {
  const keys = ['Qm3vT8xZk2Lw9RbY', 'h7JsP4nCe6Ud1GfA'];
  const forms = [...neighboursOf(keys[0] ?? '', keys).keys()];
  expect(forms).toContain('cut-first');
  expect([...neighboursOf(keys[0] ?? '', [...keys, 'limited-Xy5oK0qBt9Wz']).keys()]).toEqual(forms);
  expect(neighboursOf('shop-1', ['shop-1', 'shop-12']).has('cut-last')).toBe(false);
});

test('of numbered keys, no neighbour is another number', () => {
  const name = fc.stringMatching(/^[a-zA-Z_-]{1,12}$/);
  fc.assert(
    fc.property(name, fc.nat(120), fc.array(fc.nat(120), { maxLength: 3 }), (prefix, number, others) => {
      const keys = [number, ...others].map((each) => `${prefix}${each}`);
      const family = new RegExp(`^${prefix}\\d*$`);
      for (const each of neighboursOf(keys[0] ?? '', keys).values()) expect(each).not.toMatch(family);
    }),
  );
});

test.each(['hex', 'base64url'] as const)(
  'keys drawn in %s have every neighbour, in their own characters',
  (encoding) => {
    fc.assert(
      fc.property(drawn(encoding), ([one, other]) => {
        const found = neighboursOf(one, [one, other]);
        const without = NEIGHBOURS.filter((name) => !found.has(name));
        expect(without.filter((name) => !name.startsWith('case-') && name !== 'look-alike')).toEqual([]);
        for (const name of ['altered-first', 'altered-middle', 'altered-last', 'added-last'])
          expect(found.get(name)).toMatch(encoding === 'hex' ? /^[0-9a-f]+$/ : /^[\w-]+$/);
      }),
    );
  },
);

test.each(['base64', 'base64url', 'hex'] as const)(
  'what is altered is no other spelling of the same bytes in %s',
  (encoding) => {
    fc.assert(
      fc.property(drawn(encoding), ([one, other]) => {
        const found = neighboursOf(one, [one, other]);
        const same = (text: string): boolean =>
          Buffer.from(text.replace(/=+$/, ''), encoding).equals(Buffer.from(one, encoding));
        for (const name of ['altered-first', 'altered-middle', 'altered-last', 'shortened'])
          expect(same(found.get(name) ?? one)).toBe(false);
      }),
    );
  },
);

test('digits alone have no letter to change, and none is taken away from them', () => {
  const found = neighboursOf('4711', ['4711', '4712']);
  for (const name of ['case-first', 'cut-first', 'cut-last', 'shortened', 'look-alike'])
    expect(found.has(name)).toBe(false);
  expect(found.get('altered-last')).toBe('471x');
});
