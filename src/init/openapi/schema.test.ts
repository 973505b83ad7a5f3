import { describe, expect, test } from 'vitest';
import { resolver, schemaOf, typeOf } from './schema.ts';

const schemas = {
  A: { $ref: '#/components/schemas/B' },
  B: { $ref: '#/components/schemas/A' },
  Tree: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } } },
  Base: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
  Whole: { allOf: [{ $ref: '#/components/schemas/Base' }, { required: ['name'], properties: { name: {} } }] },
  Self: { allOf: [{ $ref: '#/components/schemas/Self' }, { $ref: '#/components/schemas/Base' }] },
  'odd/name~': { type: 'string' },
};
const resolve = resolver({ components: { schemas } });
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test('a reference is followed, with the escapes of JSON Pointer and of URIs', () => {
  expect(resolve(reference('odd~1name~0'))).toEqual({ type: 'string' });
  expect(resolve(reference('odd%7E1name~0'))).toEqual({ type: 'string' });
});

test.each(['A', 'missing', 'Base/properties/no', 'toString', '%'])('a reference to %s leads nowhere', (name) => {
  expect(resolve(reference(name))).toEqual({});
});

describe('a schema of several parts', () => {
  test('is laid together', () => {
    expect(schemaOf(resolve, reference('Whole'))).toMatchObject({
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { type: 'integer' }, name: {} },
    });
  });

  test('may refer to itself', () => {
    expect(schemaOf(resolve, reference('Self'))).toMatchObject({ type: 'object', required: ['id'] });
    expect(typeOf(schemaOf(resolve, reference('Tree')))).toBe('object');
  });

  test('of a choice is the first that is not null', () => {
    expect(typeOf(schemaOf(resolve, { oneOf: [{ type: 'null' }, { type: 'integer' }, { type: 'string' }] }))).toBe(
      'integer',
    );
  });
});

test.each([
  [{ type: 'string' }, 'string'],
  [{ type: ['integer', 'null'] }, 'integer'],
  [{ type: ['integer', 'string'] }, null],
  [{ properties: {} }, 'object'],
  [{ items: {} }, 'array'],
  [{}, null],
])('%j has the type %s', (schema, type) => expect(typeOf(schema)).toBe(type));
