import { expect, test } from 'vitest';
import { operationOf } from './profile.test-support.ts';
import { changes, clearsAtOnce, repeatable, usesUp } from './repetition.ts';

const write = operationOf({ kind: 'write', method: 'POST', path: '/labels' });
const body = (text: string) => ({ contentType: 'application/json', text });

test('a read changes nothing unless its method says so, and a write does unless its method says otherwise', () => {
  expect(changes({ kind: 'read', method: 'POST' })).toBe(false);
  expect(changes({ kind: 'read', method: 'DELETE' })).toBe(true);
  expect(changes({ kind: 'write', method: 'POST' })).toBe(true);
  expect(changes({ kind: 'write', method: 'GET' })).toBe(false);
});

test('what is prepared for may be used up, unless the method is idempotent', () => {
  expect(usesUp({ ...write, prepare: ['make'] })).toBe(true);
  expect(usesUp({ ...write, prepare: ['make'], method: 'PUT' })).toBe(false);
  expect(usesUp({ ...write, method: 'DELETE' })).toBe(true);
  expect(usesUp(write)).toBe(false);
});

test('what makes the same thing each time is cleared at once', () => {
  const cleared = { ...write, cleanup: ['drop'] };
  expect(clearsAtOnce({ ...cleared, body: body('{"name":"one"}') })).toBe(true);
  expect(clearsAtOnce({ ...cleared, body: body('{"name":"{{uuid}}"}') })).toBe(false);
  expect(clearsAtOnce({ ...cleared, method: 'PUT', body: body('{"name":"one"}') })).toBe(false);
});

test('a deletion that names another thing each time, and needs no preparation, may be sent many times at once', () => {
  const drop = { ...write, id: 'drop', method: 'DELETE', path: '/labels/{{uuid}}' };
  expect(repeatable([drop], 'write')).toEqual([drop]);
  expect(repeatable([{ ...drop, path: '/labels/1' }], 'write')).toEqual([]);
  expect(repeatable([{ ...drop, prepare: ['make'] }], 'write')).toEqual([]);
});

test('bursts are of what needs nothing and leaves nothing in the way, and never deletions that need a thing', () => {
  const named = [
    { ...write, id: 'drop', method: 'DELETE', prepare: ['make'] },
    { ...write, id: 'nested', prepare: ['make'] },
    { ...write, id: 'constant', cleanup: ['drop'] },
    { ...write, id: 'make' },
  ];
  expect(repeatable(named, 'write').map(({ id }) => id)).toEqual(['make', 'constant', 'nested']);
  expect(repeatable(named, 'read')).toEqual([]);
});
