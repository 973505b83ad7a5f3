import { expect, test } from 'vitest';
import { mismatch } from './own-schema.ts';
import { resolver } from './schema.ts';

const Tree = { type: 'object', required: ['name'], properties: { name: { type: 'string' }, next: { $ref: '#/Tree' } } };
const doubling = Object.fromEntries(
  Array.from({ length: 60 }, (_, level) => {
    const next = { $ref: `#/level${level + 1}` };
    return [`level${level}`, { allOf: [next, next] }];
  }),
);
const resolve = resolver({ Tree, ...doubling });

test.each([
  [{ type: 'integer', minimum: 2 }, 1, 'it must be >= 2'],
  [{ type: 'number', maximum: 1, exclusiveMaximum: true }, 1, 'it must be < 1'],
  [{ type: 'string', nullable: true }, null, null],
  [{ type: 'string', format: 'uuid' }, '{{uuid}}', null],
  [{ type: 'string', maxLength: 20, format: 'email' }, 'a@example.com', null],
  [{ type: 'string', format: 'of-their-own' }, 'x', null],
  [
    { type: 'array', uniqueItems: true },
    ['a', 'a'],
    'it must NOT have duplicate items (items ## 0 and 1 are identical)',
  ],
  [{ required: ['id', 'a'], properties: { id: { readOnly: true } } }, { a: 1 }, null],
  [{ allOf: [{ properties: { id: { readOnly: true } } }, { required: ['id', 'a'] }] }, { a: 1 }, null],
  [{ $ref: '#/Tree' }, { name: 'a', next: { name: 1 } }, 'next.name must be string'],
  [{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }, {}, "it must have required property 'a'"],
  [{ type: 'nonsense' }, 1, null],
  [{ properties: { a: { pattern: '^a' }, b: { pattern: '^b' } } }, { a: 'a', b: 'b' }, null],
  [{ properties: { a: { pattern: '^a' }, b: { pattern: '^b' } } }, { a: 'a', b: 'a' }, 'b must match pattern "^b"'],
  [{ pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`, null],
  [{ $ref: '#/level0' }, 1, null],
])('%j and %j: %s', (schema, value, why) => expect(mismatch(resolve, schema, value)).toBe(why));
