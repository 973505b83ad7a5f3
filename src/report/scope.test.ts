import { expect, test } from 'vitest';
import type { Verdict } from '../judge/verdict.ts';
import { guidanceOn } from './guidance.ts';
import { scopeOf } from './scope.ts';

function verdictOn(summary: string, ...failing: readonly string[]) {
  const parts = ['service', 'categories', 'labels'].map((name) => {
    return { name, verdict: failing.includes(name) ? 'fail' : 'pass' } as Verdict['parts'][number];
  });
  return { summary, parts };
}

const ALL = ['service', 'categories', 'labels'];

test.each([
  ['', ALL, null],
  ['', ['labels'], 'on labels'],
  [' (only on writes)', ALL, 'on writes'],
  [' (only by X-API-Key on writes)', ['service', 'labels'], 'on writes of service and labels'],
  [' (only by Authorization: Bearer on create-label)', ['labels'], 'on create-label'],
  [' (only on a connection on which a valid key had been sent)', ALL, null],
  [' (only on answers 503 to labels)', ALL, null],
  [' (only with key-2)', ALL, null],
])('a failure%s of %j is %s', (apart, failing, scope) => {
  expect(scopeOf(verdictOn(`a valid key is answered 401${apart}`, ...failing))).toBe(scope);
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
