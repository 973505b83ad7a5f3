import { expect, test } from 'vitest';
import type { Api } from '../init/openapi/operations.ts';
import { operationOf } from '../profile/profile.test-support.ts';
import { leftOut } from './left-out.ts';

const documented = (...operations: readonly string[]): Pick<Api, 'operations'> => ({
  operations: operations.map((each) => {
    const [method, path] = each.split(' ');
    return { method, path } as Api['operations'][number];
  }),
});

const PROFILE = {
  baseUrl: 'https://charts.example/shop/api/v1',
  operations: [
    operationOf({ id: 'list', method: 'GET', path: '/labels' }),
    operationOf({ id: 'get', method: 'GET', path: '/labels/{{id}}' }),
    operationOf({ id: 'one', method: 'GET', path: '/categories/17/labels' }),
  ],
};

test.each([
  ['what it has', documented('GET /labels', 'GET /labels/{label_id}', 'GET /categories/{id}/labels'), []],
  ['what it has below a prefix', documented('GET /api/v1/labels', 'GET /api/v1/labels/{id}'), []],
  ['what it has below the end of the base URL', documented('GET /v1/labels'), []],
  ['a path below another prefix', documented('GET /v2/labels'), ['GET /v2/labels']],
  ['another method', documented('DELETE /labels/{id}', 'GET /labels'), ['DELETE /labels/{id}']],
  ['another path', documented('GET /categories/{id}', 'GET /service'), ['GET /categories/{id}', 'GET /service']],
  ['a path below a parameter', documented('GET /shops/{shop}/labels'), ['GET /shops/{shop}/labels']],
])('%s', (_, api, expected) => {
  expect(leftOut(PROFILE, api)).toEqual(expected);
});
