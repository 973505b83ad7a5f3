import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readProfile } from '../../profile/read-profile.ts';
import { InitError } from '../init-error.ts';
import { apiOf } from '../openapi/operations.ts';
import { settle } from '../settle.ts';
import { proposeBaseUrl } from './base-url.ts';
import { proposeGroup, proposeKind } from './classify.ts';
import { propose } from './propose.ts';

describe('the base URL', () => {
  const paths = ['/labels', '/labels/{id}'];
  const prefixed = ['/api/v1/labels', '/api/v1/categories', '/health'];

  test.each([
    ['the server', null, ['https://a.internal/api/v1/'], paths, null, 'https://a.internal/api/v1', '', 0],
    ['not below the prefix', null, ['https://a.internal/v1'], paths, null, 'https://a.internal/v1', '', 1],
    [
      'the prefix of the paths',
      null,
      ['https://a.internal'],
      prefixed,
      null,
      'https://a.internal/api/v1',
      '/api/v1',
      0,
    ],
    [
      'a longer prefix',
      null,
      ['http://a.internal'],
      ['/x/api/v1/labels'],
      null,
      'http://a.internal/x/api/v1',
      '/x/api/v1',
      0,
    ],
    [
      'relative, from a URL',
      null,
      ['/api/v1'],
      paths,
      'https://b.internal/docs/a.yaml',
      'https://b.internal/api/v1',
      '',
      0,
    ],
    ['relative, from a file', null, ['/api/v1'], paths, null, 'https://api.example.com/api/v1', '', 1],
    [
      'with an empty query',
      null,
      ['https://a.internal/?'],
      prefixed,
      null,
      'https://api.example.com/api/v1',
      '/api/v1',
      1,
    ],
    ['a placeholder', null, ['https://www.example.com/api/v1'], paths, null, 'https://www.example.com/api/v1', '', 1],
    [
      'a placeholder before a real one',
      null,
      ['https://www.example.com/api/v1', 'https://a.internal/api/v1'],
      paths,
      null,
      'https://a.internal/api/v1',
      '',
      0,
    ],
    ['without a scheme, from a file', null, ['//a.internal/api/v1'], paths, null, 'https://a.internal/api/v1', '', 1],
    [
      'without a scheme, from a URL',
      null,
      ['//a.internal/api/v1'],
      paths,
      'http://b.internal/swagger.json',
      'http://a.internal/api/v1',
      '',
      0,
    ],
    ['with an empty fragment', null, ['/api/v1#'], paths, null, 'https://api.example.com/api/v1', '', 1],
    ['none', null, [], prefixed, null, 'https://api.example.com/api/v1', '/api/v1', 1],
    [
      'with credentials',
      null,
      ['https://me:pw@a.internal/api/v1'],
      paths,
      null,
      'https://api.example.com/api/v1',
      '',
      1,
    ],
    [
      'given',
      'http://c.internal/api/v1/',
      ['https://a.internal/api/v1'],
      prefixed,
      null,
      'http://c.internal/api/v1',
      '/api/v1',
      0,
    ],
    ['given, without the prefix', 'http://c.internal', [], prefixed, null, 'http://c.internal', '', 0],
    [
      'the first of several',
      null,
      ['https://a.internal/api/v1', 'https://b.internal/api/v1'],
      paths,
      null,
      'https://a.internal/api/v1',
      '',
      1,
    ],
  ])('%s', (_, given, servers, all, documentUrl, url, strip, checks) => {
    const base = proposeBaseUrl(given, servers, all, documentUrl);
    expect(base).toMatchObject({ url: { value: url }, strip });
    expect(base.url.checks).toHaveLength(checks);
  });
});

test.each([
  ['/labels/{id}', [], 'labels', 0],
  ['/categories/{id}/labels', [], 'labels', 0],
  ['/labels/{id}/categories', ['Service'], 'categories', 0],
  ['/size-charts', ['Charts'], 'service', 0],
  ['/things', ['Labels'], 'labels', 0],
  ['/categories', ['Labels'], 'labels', 1],
  ['/things', [], null, 0],
])('%s with tags %j is of the group %s', (path, tags, group, checks) => {
  const proposed = proposeGroup({ path, tags });
  expect([proposed.value, proposed.checks.length]).toEqual([group, checks]);
});

test.each([
  ['GET', '/labels', null, 'read', 0],
  ['POST', '/labels', null, 'write', 0],
  ['POST', '/labels/search', null, 'read', 1],
  ['POST', '/labels', 'labels.find', 'read', 1],
  ['POST', '/labels', 'createLabel', 'write', 0],
  ['PUT', '/labels/search', null, 'write', 0],
  ['DELETE', '/labels/{id}', null, 'write', 0],
])('%s %s (%s) is a %s', (method, path, operationId, kind, checks) => {
  const [operation] = apiOf({ paths: { [path]: { [method.toLowerCase()]: { operationId } } } }).operations;
  const proposed = operation && proposeKind(operation);
  expect([proposed?.value, proposed?.checks.length]).toEqual([kind, checks]);
});

test('the root of the service has a name, too', () => {
  const { operations } = propose(apiOf({ paths: { '/': { get: { tags: ['service'] } } } }), NOTHING, null);
  expect(operations.map(({ value }) => value.id)).toEqual(['get-root']);
});

test.each([
  [undefined, { 'filter[colour]': 'red' }],
  [{ size: 4 }, { 'filter[size]': '4' }],
])('an object that the query needs is sent though it needs no field, with the example %j', (example, query) => {
  const properties = { colour: { enum: ['red'] }, size: { type: 'integer' } };
  const schema = { type: 'object', properties };
  const filter = { name: 'filter', in: 'query', required: true, style: 'deepObject', schema, example };
  const { operations } = propose(apiOf({ paths: { '/labels': { get: { parameters: [filter] } } } }), NOTHING, null);
  expect(operations.map(({ value }) => value.query)).toEqual([query]);
});

test('two operations that refer to each other in their bodies make no circle', () => {
  const create = (own: string, other: string) => ({
    post: {
      requestBody: {
        content: {
          'application/json': { schema: { required: [other], properties: { [other]: { type: 'string' } } } },
        },
      },
      responses: { 200: { content: { 'application/json': { schema: { properties: { id: {} } } } } } },
    },
    [own]: {},
  });
  const paths = {
    '/labels': create('label_id', 'category_id'),
    '/labels/{id}': { get: {} },
    '/categories': create('category_id', 'label_id'),
    '/categories/{id}': { get: {} },
  };
  const { proposal } = settle(propose(apiOf({ paths }), NOTHING, null), 'p.yaml', 'schema.json');
  const prepares = proposal.operations.flatMap(({ value }) => (value.method === 'POST' ? [value.prepare ?? []] : []));
  expect(prepares).toEqual([['post-categories'], []]);
});

const NOTHING = { baseUrl: null, name: null };

/** Documents that have the outline of OpenAPI, and anything at all in its places. */
const documents = fc.letrec((tie) => {
  const word = fc.oneof(
    fc.constantFrom('labels', '{id}', '{}', '{a}{b}', 'categories', '..', '?', '#', 'é', '{{uuid}}', '%', ' '),
    fc.string({ maxLength: 5 }),
  );
  const path = fc.array(word, { maxLength: 4 }).map((segments) => `/${segments.join('/')}`);
  const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant('a\nb: [{{x}} # \u2028 "\''));
  const fields = fc.record(
    {
      type: fc.constantFrom<unknown>('object', 'array', 'string', 'integer', ['string', 'null'], 7),
      properties: fc.dictionary(
        fc.constantFrom('name', 'id', 'label_id', 'category_id', '__proto__', '{{x}}', 'text', 'content_type'),
        tie('schema'),
        { maxKeys: 3 },
      ),
      required: fc.subarray(['name', 'id', 'label_id', 'category_id', '__proto__', 'text', 'content_type']),
      items: tie('schema'),
      allOf: fc.array(tie('schema'), { maxLength: 2 }),
      $ref: fc.constantFrom('#/components/schemas/A', '#/components/schemas/B', '#', '#/nowhere'),
      example: odd,
      maximum: fc.double(),
      maxLength: fc.oneof(fc.integer(), fc.double()),
      enum: fc.array(odd, { maxLength: 2 }),
    },
    { requiredKeys: [] },
  );
  // Each level has several places for the next: without a bound, there would be no end of them.
  const schema = fc.oneof({ maxDepth: 1, depthIdentifier: 'schema' }, fc.constant({ type: 'string' }), fields);
  const content = fc.dictionary(
    fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/plain', '*/*', 'a+json'),
    fc.record({ schema: tie('schema') }),
  );
  const operation = fc.record(
    {
      operationId: fc.oneof(fc.constantFrom('a', 'search', '', '-'), odd),
      tags: fc.oneof(fc.array(fc.constantFrom('Labels', 'x')), odd),
      parameters: fc.array(
        fc.record({
          name: fc.constantFrom('id', 'page', 'X-API-Key', 'api_key', 'a b', 'Host', '__proto__', '{{x}}'),
          in: fc.constantFrom('path', 'query', 'header', 'cookie', 'x'),
          required: fc.boolean(),
          schema: tie('schema'),
        }),
        { maxLength: 3 },
      ),
      requestBody: fc.record({ content, required: fc.boolean() }),
      responses: fc.dictionary(fc.constantFrom('200', '201', '422', 'default'), fc.record({ content })),
      security: fc.constantFrom<unknown>([], [{}], [{ a: [] }], 7),
    },
    { requiredKeys: [] },
  );
  const methods = fc.dictionary(
    fc.constantFrom('get', 'post', 'put', 'patch', 'delete', 'x'),
    fc.oneof(operation, odd),
  );
  return {
    schema,
    document: fc.record(
      {
        info: fc.record({ title: odd, version: odd }),
        servers: fc.oneof(fc.array(fc.record({ url: fc.oneof(fc.webUrl(), odd) }), { maxLength: 2 }), odd),
        paths: fc.dictionary(path, methods, { maxKeys: 6 }),
        components: fc.record({
          schemas: fc.record({ A: tie('schema'), B: tie('schema') }),
          securitySchemes: fc.dictionary(fc.string(), fc.oneof(fc.record({ type: odd, scheme: odd }), odd), {
            maxKeys: 2,
          }),
        }),
      },
      { requiredKeys: ['paths'] },
    ),
  };
}).document;

test('an example number of more than 53 bits is sent as text, which keeps what is left of it', () => {
  const content = { 'application/json': { schema: { example: { id: -71005184183021530 } } } };
  const api = apiOf({ paths: { '/labels': { put: { requestBody: { content } } } } });
  const { text } = settle(propose(api, NOTHING, null), 'p.yaml', 'schema.json');
  const read = readProfile(text, { file: 'p.yaml' });
  expect('profile' in read && read.profile.operations[0]?.body).toEqual({
    contentType: 'application/json',
    text: '{"id":-71005184183021530}',
  });
});

test('whatever a document holds, what is proposed can be read, or nothing is proposed', () => {
  let proposed = 0;
  fc.assert(
    fc.property(documents, (document) => {
      const proposal = propose(apiOf(document as Record<string, unknown>), NOTHING, null);
      if (proposal.operations.length === 0) return;
      try {
        const { text } = settle(proposal, 'p.yaml', 'schema.json');
        expect(readProfile(text, { file: 'p.yaml' })).toHaveProperty('profile');
        proposed += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(InitError);
        expect(String(error)).toContain('No operation could be proposed');
      }
    }),
    { numRuns: 150 },
  );
  expect(proposed).toBeGreaterThan(20);
});
