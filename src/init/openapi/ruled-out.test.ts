import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operationOf } from '../../profile/profile.test-support.ts';
import { apiOf } from './operations.ts';
import { ruledOut, wrongValues } from './ruled-out.ts';

const BASE_URL = 'https://charts.example/api/v1';

const NEW_LABEL = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 10 },
    size: { type: 'integer', minimum: 1, maximum: 60 },
    tags: { type: 'array', items: { enum: ['wide', 'tall'], type: 'string' } },
  },
};

const api = apiOf({
  openapi: '3.1.0',
  paths: {
    '/api/v1/labels/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        parameters: [
          { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1 } },
          { name: 'X-Depth', in: 'header', schema: { type: 'integer' } },
          { name: 'X-API-Key', in: 'header', schema: { type: 'integer' } },
        ],
      },
      delete: {},
    },
    '/api/v1/labels': { post: { requestBody: { content: { 'application/json': { schema: NEW_LABEL } } } } },
  },
});

const get = operationOf({ id: 'get', method: 'GET', path: '/labels/{{id}}' });
const remove = operationOf({ id: 'delete', kind: 'write', method: 'DELETE', path: '/labels/{{id}}' });
const body = { contentType: 'application/json', text: '{"name":"x"}' };
const post = operationOf({ id: 'post', kind: 'write', method: 'POST', path: '/labels', body });

function of(...operations: Parameters<typeof ruledOut>[0]['operations'][number][]): string[] {
  return ruledOut({ operations, baseUrl: BASE_URL }, api).map(
    (each) => `${each.where} ${each.place.join('.')}: ${'value' in each ? JSON.stringify(each.value) : 'left out'}`,
  );
}

test('parameters of the path, the query and its own headers, never of the key', () => {
  expect(of(get)).toEqual([
    'query page: "true"',
    'query page: "0.5"',
    'query page: "not-valid"',
    'query page: "0"',
    'header X-Depth: "true"',
    'header X-Depth: "0.5"',
    'header X-Depth: "not-valid"',
    'path 1: "true"',
    'path 1: "0.5"',
    'path 1: "not-valid"',
  ]);
});

test('the path of a write is left alone: it might meet what is somebody else’s', () => {
  expect(of(remove)).toEqual([]);
});

test('each place of a body: the wrong type, too long, out of its range, not in its list, left out', () => {
  const found = of(post);
  for (const each of [
    'name: left out',
    'name: null',
    'name: "xxxxxxxxxxx"',
    'size: 0',
    'size: 61',
    'size: "not-valid"',
  ]) {
    expect(found).toContain(`body ${each}`);
  }
  expect(found).toContain('body tags: {}');
  expect(found).toContain('body tags.0: "not-valid"');
  expect(found).toContain('body : []');
  expect(found).not.toContain('body size: left out');
});

test('what the document does not have gives nothing', () => {
  expect(of(operationOf({ ...post, path: '/categories' }), operationOf({ ...get, method: 'PUT' }))).toEqual([]);
});

test('a document that goes round in circles has an end', () => {
  const node = { type: 'object', properties: { child: { $ref: '#/components/schemas/Node' } } };
  const round = apiOf({
    paths: { '/labels': { post: { requestBody: { content: { 'application/json': { schema: node } } } } } },
    components: { schemas: { Node: node } },
  });
  const found = ruledOut({ operations: [post], baseUrl: BASE_URL }, round);
  expect(found.length).toBeGreaterThan(5);
  expect(found.length).toBeLessThan(100);
});

const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'array', 'object', 'null');
const schema = fc.record(
  {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    minLength: fc.nat({ max: 20 }),
    maxLength: fc.integer({ min: 20, max: 3000 }),
    minimum: fc.integer({ min: -5, max: 5 }),
    maximum: fc.integer({ min: 5, max: 50 }),
    enum: fc.uniqueArray(fc.constantFrom('wide', 'tall', 'not-valid', 3), { minLength: 1 }),
  },
  { requiredKeys: ['type'] },
);

test('a value that is said to be ruled out is', () => {
  const ajv = new Ajv({ strict: false });
  fc.assert(
    fc.property(schema, (drawn) => {
      const validate = ajv.compile(drawn);
      expect(wrongValues(drawn).filter((value) => validate(value))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
