import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exampleOf } from './example.ts';
import { mismatch } from './own-schema.ts';
import { resolver } from './schema.ts';

const Node = {
  type: 'object',
  required: ['next', 'name'],
  properties: { next: { $ref: '#/Node' }, name: { type: 'string' } },
};
const resolve = resolver({ Node });
const of = (schema: unknown, example?: unknown, unique = true) => exampleOf(resolve, { schema, example }, { unique });

describe('what the document gives comes first', () => {
  test.each([
    [{ type: 'string', example: 'Chest' }, 'Chest'],
    [{ type: 'string', examples: ['Chest', 'Waist'] }, 'Chest'],
    [{ const: 7 }, 7],
    [{ type: 'string', enum: [null, 'cm', 'in'] }, 'cm'],
    [{ type: 'integer', default: 20 }, 20],
  ])('%j', (schema, value) => expect(of(schema)).toEqual(value));

  test('without what a request must not set', () => {
    const properties = { id: { readOnly: true }, size: { type: 'integer' } };
    expect(of({ properties }, { id: 1, size: 2 })).toEqual({ size: 2 });
  });

  test('its braces are no variables', () =>
    expect(of({}, { note: '{{mustache}}' })).toEqual({ note: '{ {mustache}}' }));
});

describe('without an example, the least that fits', () => {
  test.each([
    [{ type: 'integer' }, 1],
    [{ type: 'integer', minimum: 10 }, 10],
    [{ type: 'integer', exclusiveMinimum: 10 }, 11],
    [{ type: 'integer', maximum: 0 }, 0],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
    [{ type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: true }, 0.5],
    [{ type: 'integer', exclusiveMinimum: 5, exclusiveMaximum: 7 }, 6],
    [{ type: 'array', minItems: 2, uniqueItems: true, items: { enum: ['a', 'b'] } }, ['a', 'b']],
    [{ type: 'array', minItems: 2, uniqueItems: true, items: { type: 'string' } }, ['example', 'example-2']],
    [
      { minProperties: 2, properties: { a: { type: 'integer' }, b: { type: 'integer' } } },
      { a: 1, b: 1 },
    ],
    [{ type: 'string', format: 'duration' }, 'P1D'],
    [{ type: 'number', minimum: 3, multipleOf: 5 }, 5],
    [{ type: 'boolean' }, true],
    [{ type: 'array', items: { type: 'integer' } }, []],
    [{ type: 'array', minItems: 1, items: { type: 'integer' } }, [1]],
    [{ type: 'array', minItems: 3, items: { type: 'boolean' } }, [true, true, true]],
    [{ minItems: 2, prefixItems: [{ type: 'number' }, { type: 'boolean' }] }, [1, true]],
    [{ type: 'array', minItems: 1e9, items: { type: 'integer' } }, Array.from({ length: 99 }, () => 1)],
    [{ type: 'string', maxLength: 3 }, 'exa'],
    [{ type: 'string', minLength: 9 }, 'examplexx'],
    [{ type: 'string', format: 'date' }, '2026-01-31'],
    [{ type: 'object', required: ['a'], properties: { a: { type: 'integer' }, b: { type: 'integer' } } }, { a: 1 }],
    [{ type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } }, { a: 1 }],
    [{ type: 'object' }, {}],
  ])('%j', (schema, value) => expect(of(schema)).toEqual(value));
});

const whole = { type: 'integer' };
const size = { enum: ['size', 'colour'] };

describe('an object with names of the sender’s choice', () => {
  test.each([
    [{ type: 'object', additionalProperties: whole }, { example: 1 }],
    [
      { additionalProperties: whole, minProperties: 2 },
      { example: 1, 'example-2': 1 },
    ],
    [{ additionalProperties: true }, { example: 'example' }],
    [{ type: 'object', additionalProperties: false }, {}],
    [{ type: 'object', required: ['a'], additionalProperties: whole }, { a: 1 }],
    [{ additionalProperties: whole, propertyNames: { pattern: '^[a-z]{2}$' } }, { ex: 1 }],
    [{ patternProperties: { '^x-a$': whole }, additionalProperties: false }, { 'x-a': 1 }],
    [{ required: ['of'], properties: { of: { type: 'object', additionalProperties: whole } } }, { of: {} }],
  ])('%j', (schema, value) => {
    expect(of(schema)).toEqual(value);
    expect(mismatch(resolve, schema, of(schema))).toBeNull();
  });
});

describe('an object whose fields depend on others', () => {
  const base = { type: 'object', required: ['kind'], properties: { kind: size, cm: whole, hue: { type: 'string' } } };
  const keyword = { if: 'if', met: 'then', unmet: 'else' };
  const when = (parts: Partial<Record<keyof typeof keyword, unknown>>) =>
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [keyword[name as keyof typeof keyword], part]));
  const is = (kind: string) => ({ properties: { kind: { const: kind } } });
  const needs = (...required: string[]) => ({ required });

  test.each([
    [when({ if: is('size'), met: needs('cm') }), { kind: 'size', cm: 1 }],
    [when({ if: is('colour'), met: needs('hue'), unmet: needs('cm') }), { kind: 'size', cm: 1 }],
    [
      { allOf: [when({ if: is('size'), met: needs('cm') }), when({ if: is('colour'), met: needs('hue') })] },
      { kind: 'size', cm: 1 },
    ],
    [when({ if: needs('kind'), met: is('colour') }), { kind: 'colour' }],
    [when({ if: is('size'), met: { ...needs('cm'), properties: { cm: { minimum: 5 } } } }), { kind: 'size', cm: 5 }],
    [when({ if: is('size'), unmet: false }), { kind: 'size' }],
  ])('%j', (condition, value) => {
    const schema = { ...base, ...condition };
    expect(of(schema)).toEqual(value);
    expect(mismatch(resolve, schema, of(schema))).toBeNull();
  });
});

describe('strings that look as if they had to be unique', () => {
  const field = (name: string, schema: object) =>
    of({ type: 'object', required: [name], properties: { [name]: schema } });

  test.each([
    ['name', { type: 'string' }, 'example {{uuid}}'],
    ['slug', { type: 'string' }, 'example-{{uuid}}'],
    ['displayName', { type: 'string', example: 'Chest' }, 'Chest {{uuid}}'],
    ['name', { type: 'string', maxLength: 40 }, 'exa {{uuid}}'],
    ['name', { type: 'string', maxLength: 30 }, '{{timestamp}}-{{counter}}'],
    ['name', { type: 'string', maxLength: 5 }, 'examp'],
    ['code', { type: 'string', pattern: '^a+$', example: 'aa' }, 'aa'],
    ['code', { type: 'string', pattern: '^[A-Z]{2}-\\d{1,3}$', example: 'SC-7' }, 'SC-{{counter}}'],
    ['slug', { type: 'string', pattern: '^[a-z][a-z0-9-]{2,39}$' }, 'exa-{{uuid}}'],
    ['slug', { type: 'string', pattern: '^[a-z0-9]+$', maxLength: 20 }, 'exa{{timestamp}}{{counter}}'],
    ['unit_code', { type: 'string', enum: ['cm'] }, 'cm'],
    ['contact', { type: 'string', format: 'email' }, 'someone-{{uuid}}@example.com'],
    ['contact', { type: 'string', format: 'email', maxLength: 40 }, '{{timestamp}}-{{counter}}@example.com'],
    ['contact', { type: 'string', format: 'email', maxLength: 15 }, 'a@example.com'],
    ['colour', { type: 'string' }, 'example'],
  ])('%s %j', (name, schema, value) => expect(field(name, schema)).toEqual({ [name]: value }));

  test('stay as they are in what is read', () =>
    expect(of({ type: 'string', example: 'x' }, undefined, false)).toBe('x'));

  test('are told of where they cannot be', () => {
    const told: string[] = [];
    const schema = { required: ['code'], properties: { code: { type: 'string', pattern: '^a+$' } } };
    exampleOf(resolve, { schema, example: undefined }, { unique: true, fixed: (name) => told.push(name) });
    expect(told).toEqual(['code']);
  });
});

test('a string for which no match is found is told of, and one that the document gives is not', () => {
  const told: string[] = [];
  const zip = { type: 'string', pattern: '^(?=.*x)[0-9]{5}$' };
  const schema = { required: ['zip', 'hue'], properties: { zip, hue: { pattern: '^#', example: '#fff' } } };
  exampleOf(resolve, { schema, example: undefined }, { unique: true, unfit: (name) => told.push(name) });
  expect(told).toEqual(['zip']);
});

test('a schema without end has an example', () => {
  expect(JSON.stringify(of({ $ref: '#/Node' })).length).toBeLessThan(1000);
});

test('anything has an example that is JSON, and small', () => {
  const keyword = fc.constantFrom(
    'type',
    'properties',
    'items',
    'allOf',
    'oneOf',
    'enum',
    'example',
    'minLength',
    'minItems',
    '$ref',
  );
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>('object', 'array', 'string', 'integer', '#/Node', null, -1, 1e9, Number.NaN),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(keyword, fc.string()), tie('node'), { maxKeys: 4 }),
    ),
  })).node;
  fc.assert(
    fc.property(value, (schema) => {
      const text = JSON.stringify(of(schema));
      expect(text === undefined || text.length < 100_000).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
