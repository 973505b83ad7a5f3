import { expect, test } from 'vitest';
import { apiOf } from '../openapi/operations.ts';
import { proposeGroup, proposeKind } from './classify.ts';

const IS_READ = 'A POST that seems to look something up: does it count as a read?';
const MAY_READ = 'If this POST only reads, write "kind: read".';

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

const LIST = { responses: { 200: { content: { 'application/json': { schema: { type: 'array' } } } } } };

test.each([
  ['GET', '/labels', {}, 'read', []],
  ['POST', '/labels', {}, 'write', []],
  ['POST', '/labels/search', {}, 'read', [IS_READ]],
  ['POST', '/labels', { operationId: 'labels.find' }, 'read', [IS_READ]],
  ['POST', '/labels', { operationId: 'createLabel', summary: 'Create a list' }, 'write', []],
  ['POST', '/labels', { operationId: 'labelSearch' }, 'write', [MAY_READ]],
  ['POST', '/labels', { summary: 'Look up labels' }, 'write', [MAY_READ]],
  ['POST', '/search/labels', {}, 'write', [MAY_READ]],
  ['POST', '/labels/by-name', LIST, 'write', [MAY_READ]],
  ['PUT', '/labels/search', LIST, 'write', []],
  ['DELETE', '/labels/{id}', {}, 'write', []],
])('%s %s %j is a %s', (method, path, described, kind, checks) => {
  const { operations, resolve } = apiOf({ paths: { [path]: { [method.toLowerCase()]: described } } });
  expect(operations.map((each) => proposeKind(each, resolve))).toEqual([{ value: kind, checks }]);
});
