import { expect, test } from 'vitest';
import { apiOf } from '../openapi/operations.ts';
import { proposeGroup, proposeKind } from './classify.ts';

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
