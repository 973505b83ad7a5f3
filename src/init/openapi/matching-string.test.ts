import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tried } from '../../../test/sampled.test-support.ts';
import { exampleOf } from './example.ts';
import { matchingString, newString } from './matching-string.ts';
import { resolver } from './schema.ts';

const any = { least: 0, most: Number.POSITIVE_INFINITY };

test.each([
  ['^[a-z][a-z0-9-]{2,39}$', 'example'],
  ['^[A-Z]+$', 'EXAMPLE'],
  ['[Ee]x', 'example'],
])('%s: an ordinary word is used if it matches', (pattern, word) =>
  expect(matchingString({ pattern, ...any }, 'example')).toBe(word),
);

test.each([String.raw`^[A-Z]{2}-\d{1,3}$`, '^(foo|bar)_[0-9a-f]{4}$', '^#[0-9a-f]{6}$', String.raw`^\+\d{7,15}$`])(
  '%s: else a value is made from it',
  (pattern) => expect(matchingString({ pattern, ...any }, 'example')).toMatch(new RegExp(pattern, 'u')),
);

test('the lengths hold besides the pattern', () => {
  expect(matchingString({ pattern: '^[A-Z]+[0-9]+$', least: 4, most: 5 }, 'example')).toMatch(/^.{4,5}$/);
  expect(matchingString({ pattern: '^[0-9]{5}$', least: 6, most: 9 }, 'example')).toBeNull();
});

test('a code is new by a counter if it has no room for more', () =>
  expect(newString({ pattern: String.raw`^[A-Z]{2}-\d{1,3}$`, ...any }, 'EX-15')).toBe('EX-{{counter}}'));

// Each would take years or all memory if nothing stopped it.
test.each(['^(a+)+$', '^((a{1000}){1000}){1000}$', '^([a-z]+)*!$', '^(\\w+\\s?)*\\.$', '['])(
  '%s ends soon',
  (pattern) => {
    const before = performance.now();
    matchingString({ pattern, least: 0, most: 60 }, `${'a'.repeat(50)}?`);
    newString({ pattern, least: 0, most: 60 }, `${'a'.repeat(50)}?`);
    expect(performance.now() - before).toBeLessThan(10_000);
  },
);

const part = fc
  .tuple(
    fc.constantFrom(
      'a',
      '[A-Z]',
      '[a-z0-9-]',
      String.raw`\d`,
      String.raw`\w`,
      '(foo|bar)',
      '[^/]',
      '-',
      String.raw`\.`,
      '.',
    ),
    fc.constantFrom('', '?', '+', '*', '{2}', '{1,3}', '{2,}'),
  )
  .map((pair) => pair.join(''));
const pattern = fc
  .tuple(fc.constantFrom('^', ''), fc.array(part, { minLength: 1, maxLength: 4 }), fc.constantFrom('$', ''))
  .map(([start, parts, end]) => start + parts.join('') + end);

test('whatever the pattern, the value matches it in each request, or is told of', () => {
  fc.assert(
    fc.property(pattern, fc.nat(8), fc.nat(60), fc.constantFrom('slug', 'hue'), (source, least, more, name) => {
      const told: string[] = [];
      const field = { type: 'string', pattern: source, minLength: least, maxLength: least + more };
      const schema = { required: [name], properties: { [name]: field } };
      const tell = (which: string) => told.push(which);
      const options = { unique: true, unfit: tell, fixed: () => {}, counted: () => {} };
      const { [name]: text } = exampleOf(resolver({}), { schema, example: undefined }, options) as Record<
        string,
        string
      >;
      if (told.length > 0 || text === undefined) return void expect(told).toEqual([name]);
      for (const [uuid, stamp, count] of FILLED) {
        const value = text.replace('{{uuid}}', uuid).replace('{{timestamp}}', stamp).replace('{{counter}}', count);
        expect(value).toMatch(new RegExp(source, 'u'));
        expect(value.length).toBeGreaterThanOrEqual(least);
        expect(value.length).toBeLessThanOrEqual(least + more);
      }
    }),
    { numRuns: tried(100) },
  );
}, 60_000);

const FILLED = [
  ['123e4567-e89b-42d3-a456-426614174000', '1764300000000', '1'],
  ['c23e4567-e89b-42d3-a456-426614174000', '1764300000001', '88'],
] as const;
