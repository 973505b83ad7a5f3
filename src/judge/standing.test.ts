import { expect, test } from 'vitest';
import { operationOf, profileWith } from '../profile/profile.test-support.ts';
import type { Exchange } from '../trace/exchange.ts';
import { disturbances } from './standing.ts';
import { exchanges, type Sketch, traceOf } from './trace-builder.test-support.ts';

const put = operationOf({ id: 'put', kind: 'write', method: 'PUT', path: '/labels/tall' });
const remove = operationOf({ ...put, id: 'remove', method: 'DELETE', prepare: ['put'] });
const get = operationOf({ id: 'get', path: '/labels/tall' });
const make = operationOf({ ...put, id: 'make', method: 'POST', path: '/labels' });
const publish = operationOf({ ...make, id: 'publish', path: '/labels/tall/publish', prepare: ['put'] });
const list = operationOf({ id: 'list', path: '/labels' });
const OPERATIONS = [put, remove, get, make, publish, list];

/** Whether the last of these requests may have been answered so because of the others. */
function isLastDisturbed(...sketches: readonly Sketch[]): boolean {
  const full = sketches.map((sketch) => {
    const known = OPERATIONS.find(({ id }) => id === sketch.operation);
    return { method: known?.method ?? '', target: known?.path ?? '', ...sketch };
  });
  const all = exchanges(...full);
  const trace = traceOf([], { header: { profile: profileWith({ operations: OPERATIONS }) } });
  const last = all.at(-1);
  return last !== undefined && disturbances(trace, all)(last);
}

const gone = (operation: string, over: Partial<Exchange> = {}): Sketch => ({ operation, status: 404, ...over });

test('what a deletion took is not there for the next request', () => {
  expect(isLastDisturbed({ operation: 'put' }, { operation: 'remove' }, gone('remove'))).toBe(true);
  expect(isLastDisturbed({ operation: 'put' }, { operation: 'remove' }, gone('get'))).toBe(true);
  expect(isLastDisturbed({ operation: 'put' }, { operation: 'remove', status: 429 }, gone('get'))).toBe(false);
});

test('what was put again is there', () => {
  expect(isLastDisturbed({ operation: 'remove' }, { operation: 'put' }, gone('get'))).toBe(false);
  expect(isLastDisturbed({ operation: 'remove' }, { operation: 'get' }, gone('get'))).toBe(false);
  const other = { operation: 'put', key: 'key-2', target: '/labels/wide' };
  expect(isLastDisturbed({ operation: 'remove' }, other, gone('get'))).toBe(true);
});

test('a request that is under way meanwhile may have come first', () => {
  const slow = { operation: 'remove', sent: 0, answered: 90_000 };
  expect(isLastDisturbed(slow, { operation: 'put' }, gone('get'))).toBe(true);
  expect(isLastDisturbed(slow, { operation: 'put', failure: 'reset' }, gone('get'))).toBe(true);
});

test('a deletion elsewhere, and what only makes things, take nothing away', () => {
  expect(isLastDisturbed({ operation: 'remove', target: '/labels/wide' }, gone('get'))).toBe(false);
  expect(isLastDisturbed({ operation: 'make' }, gone('get'))).toBe(false);
  expect(isLastDisturbed({ operation: 'remove', target: '/labels' }, gone('get'))).toBe(true);
});

test('a post may change the answer to the same post, unless it was seen to succeed again', () => {
  expect(isLastDisturbed({ operation: 'make' }, gone('make', { status: 400 }))).toBe(true);
  expect(isLastDisturbed({ operation: 'make' }, { operation: 'make' }, gone('make', { status: 400 }))).toBe(false);
  const odd = { operation: 'make', fault: 'unstated', variation: 'wrong-types' } as const;
  expect(isLastDisturbed({ operation: 'make' }, odd, gone('make', { status: 400 }))).toBe(true);
  expect(isLastDisturbed({ operation: 'put' }, { operation: 'publish' }, gone('publish'))).toBe(true);
  expect(isLastDisturbed({ operation: 'publish' }, gone('get'))).toBe(true);
});

test('a post that succeeds again after the thing was put or prepared anew may use it up', () => {
  const publish = { operation: 'publish' };
  const last = gone('publish', { key: 'restricted' });
  expect(isLastDisturbed({ operation: 'put' }, publish, publish, last)).toBe(false);
  // Either write may have made what the second one used up.
  for (const operation of ['put', 'make']) {
    expect(isLastDisturbed({ operation: 'put' }, publish, { operation }, publish, last)).toBe(true);
  }
});

test('of two posts under way together, either may have come after what made room', () => {
  const slow = { operation: 'make', sent: 0, answered: 9000 };
  const quick = { operation: 'make', sent: 1000, answered: 2000 };
  const last = gone('make', { status: 400, sent: 10_000, answered: 11_000 });
  expect(isLastDisturbed(slow, quick, last)).toBe(false);
  expect(isLastDisturbed(slow, quick, { operation: 'remove', sent: 3000, answered: 4000 }, last)).toBe(true);
});

test('no other status follows from what became of a thing', () => {
  for (const status of [200, 401, 403, 429, 500]) {
    expect(isLastDisturbed({ operation: 'remove' }, { operation: 'get', status })).toBe(false);
  }
});

test('what is put later need not have been there before', () => {
  expect(isLastDisturbed({ operation: 'put', sent: 9_000 }, gone('get', { sent: 1_000 }))).toBe(true);
  expect(isLastDisturbed({ operation: 'put', sent: 1_000 }, gone('get', { sent: 9_000 }))).toBe(false);
});

test('what lies below a thing that is there is not disturbed by its being put again', () => {
  const below = { operation: 'get', target: '/labels/tall/failure', status: 400, sent: 5000, answered: 9000 };
  const again = { operation: 'put', sent: 6000, answered: 7000 };
  const last = (...before: readonly Sketch[]) => isLastDisturbed(...before, again, { ...below, sent: 6500 });
  expect(last({ operation: 'get' })).toBe(false);
  expect(last()).toBe(true);
  // That the collection can be read says nothing of a thing in it.
  const first = { operation: 'put', sent: 6000, answered: 7000 };
  expect(isLastDisturbed({ operation: 'list' }, first, gone('get', { sent: 5000, answered: 9000 }))).toBe(true);
});
