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

test.each([
  [{ type: 'string', enum: ['none', 'some'], not: { const: 'none' } }, 1],
  [{ type: 'string', enum: ['none', 'some'] }, 0],
])('a body that its own schema does not allow is to be checked: %j', (mode, checks) => {
  const requestBody = json({ required: ['mode'], properties: { mode } });
  const { operations } = propose(apiOf({ paths: { '/service': { put: { requestBody } } } }), NOTHING, null);
  expect(
    operations[0]?.checks.filter((each) => each.startsWith('The body is not what the document asks')),
  ).toHaveLength(checks);
});
