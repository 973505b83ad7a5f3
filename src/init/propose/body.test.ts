import { expect, test } from 'vitest';
import { apiOf } from '../openapi/operations.ts';
import { propose } from './propose.ts';

const NOTHING = { baseUrl: null, name: null };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });

test('a field that refers to a thing is not said to be the same each time', () => {
  const key = { type: 'string', pattern: '^cat_[a-z0-9]{10}$' };
  const answer = { responses: { 200: json({ properties: { key: {} } }) } };
  const body = json({ required: ['categoryKey'], properties: { categoryKey: key } });
  const paths = {
    '/categories': { post: answer },
    '/categories/{key}': { get: { parameters: [{ name: 'key', in: 'path', required: true, schema: key }] } },
    '/labels': { post: { requestBody: body } },
  };
  const { operations } = propose(apiOf({ paths }), NOTHING, null);
  const made = operations.find(({ value }) => value.path === '/labels');
  expect(made).toMatchObject({ value: { body: { categoryKey: '{{category_id}}' } }, checks: [] });
});
