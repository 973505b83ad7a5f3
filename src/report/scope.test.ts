import { expect, test } from 'vitest';
import type { Part } from '../judge/verdict.ts';
import { guidanceOn } from './guidance.ts';
import { scopeOf } from './scope.ts';

const ALL = ['service', 'categories', 'labels'];

test.each([
  [undefined, ALL, null],
  [undefined, ['labels'], 'on labels'],
  ['on writes', ALL, 'on writes'],
  ['on writes', ['service', 'labels'], 'on writes of service and labels'],
  ['on create-label', ['labels'], 'on create-label'],
])('a failure %s of %j is %s', (place, failing, scope) => {
  const parts = ALL.map((name): Part => {
    return { name, verdict: failing.includes(name) ? 'fail' : 'pass', witnesses: 1, summary: '' };
  });
  expect(scopeOf({ ...(place && { place }), parts })).toBe(scope);
});

test.each([
  ['AUTH-2', /^The deployment reads/, /^On writes, the deployment reads `Authorization` only/],
  ['AUTH-3', /^Only `X-API-Key`/, /^On writes, only `X-API-Key` is read/],
  ['AUTH-4', /^Parameters are/, /^On writes, parameters are checked/],
  ['AUTH-5', /^The scheme word/, /^On writes, the scheme word is ignored/],
] as const)('what a cause says of the deployment is said of the part of it that fails: %s', (id, whole, part) => {
  expect(guidanceOn(id)?.causes).toContainEqual(expect.stringMatching(whole));
  const scoped = guidanceOn(id, [], 'on writes')?.causes;
  expect(scoped).toContainEqual(expect.stringMatching(part));
  expect(scoped).not.toContainEqual(expect.stringMatching(whole));
});

test('what turns a check off everywhere is no cause where it is off in part', () => {
  const off = expect.stringMatching(/meant for development/);
  expect(guidanceOn('AUTH-1', ['service 200'])?.causes).toContainEqual(off);
  expect(guidanceOn('AUTH-1', ['service 200 only on reads'])?.causes).not.toContainEqual(off);
  expect(guidanceOn('AUTH-1', ['service 200 not on all'])?.causes).not.toContainEqual(off);
});
