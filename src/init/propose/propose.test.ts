import { expect, test } from 'vitest';
import { readProfile } from '../../profile/read-profile.ts';
import { apiOf } from '../openapi/operations.ts';
import { settle } from '../settle.ts';
import { propose } from './propose.ts';

const NOTHING = { baseUrl: null, name: null };

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
