import { expect, test } from 'vitest';
import { apiOf } from '../openapi/operations.ts';
import { propose } from './propose.ts';

const UUID = 'f47ac10b-58cc-4372-a567-0e02b2c3d479';
const schema = { type: 'string', format: 'uuid' };
const NOTHING = { baseUrl: null, name: null };

test.each([
  ['X-Tenant', UUID, UUID],
  ['X-Tenant', undefined, '{{uuid}}'],
  ['Idempotency-Key', UUID, '{{uuid}}'],
  ['X-Request-ID', UUID, '{{uuid}}'],
])('%s with the example %s is sent as %s', (name, example, value) => {
  const header = { name, in: 'header', required: true, schema, ...(example === undefined ? {} : { example }) };
  const { operations } = propose(apiOf({ paths: { '/labels': { get: { parameters: [header] } } } }), NOTHING, null);
  expect(operations[0]?.value.headers).toEqual({ [name]: value });
});

test('an example comes first in path and query, too', () => {
  const parameters = [
    { name: 'id', in: 'path', required: true, schema, example: UUID },
    { name: 'shop', in: 'query', required: true, schema, example: UUID },
  ];
  const { operations } = propose(apiOf({ paths: { '/labels/{id}': { get: { parameters } } } }), NOTHING, null);
  expect(operations[0]?.value).toMatchObject({ path: `/labels/${UUID}`, query: { shop: UUID } });
});
