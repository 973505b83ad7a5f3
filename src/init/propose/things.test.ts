import { expect, test } from 'vitest';
import { apiOf } from '../openapi/operations.ts';
import { propose } from './propose.ts';

/** What init captures from an answer with these fields, and how many checks it asks for. */
function captured(properties: object, parameter = 'id') {
  const content = { 'application/json': { schema: { properties } } };
  const post = { responses: { 200: { content } } };
  const paths = { '/categories': { post }, [`/categories/{${parameter}}`]: { get: {} } };
  const { operations } = propose(apiOf({ paths }), { baseUrl: null, name: null }, null);
  const made = operations.find(({ value }) => value.capture);
  return [made?.value.capture?.category_id, made?.checks.length];
}

const inData = (...names: readonly string[]) => ({
  data: { properties: Object.fromEntries(names.map((name) => [name, {}])) },
});

test.each([
  ['an id at the top', { id: {}, code: {}, ...inData('id') }, 'id', '/id', 0],
  ['an id in an envelope with a code of its own', { code: {}, ...inData('id', 'code') }, 'id', '/data/id', 0],
  ['also where things have codes', { code: {}, ...inData('code') }, 'code', '/data/code', 1],
  ['a code alone', { code: {}, name: {} }, 'code', '/code', 0],
  ['a code beside a wrapper that shows none', { code: {}, ...inData('name') }, 'id', '/code', 1],
  ['in an envelope without one', inData('uuid'), 'id', '/data/uuid', 0],
  ['nowhere', { name: {} }, 'id', '/id', 1],
])('%s is captured', (_, properties, parameter, pointer, checks) =>
  expect(captured(properties, parameter)).toEqual([pointer, checks]),
);
