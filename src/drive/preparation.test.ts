import { expect, test } from 'vitest';
import type { Operation } from '../profile/profile.ts';
import { PreparationFailed, preparations, unpreparedText } from './preparation.ts';
import type { RequestSpec } from './request-spec.ts';

function operation(id: string, prepare: string[], method = 'GET'): Operation {
  return {
    id,
    group: 'labels',
    kind: 'read',
    method,
    path: '/',
    query: {},
    headers: {},
    body: null,
    prepare,
    cleanup: [],
    capture: [],
  };
}

function workshop() {
  const operations = [
    operation('create', [], 'POST'),
    operation('get', ['create']),
    operation('remove', ['create'], 'DELETE'),
  ];
  const sent: string[] = [];
  const clock = { now: 0, refusedUntil: 0 };
  const prepared = preparations(
    { operations },
    {
      async prepare(step, _, key) {
        sent.push(`${step.id} ${key}`);
        if (clock.now < clock.refusedUntil) throw new PreparationFailed('answered 429', clock.refusedUntil);
        return { id: `${sent.length}` };
      },
      now: () => clock.now,
      thingsOf: (_, { id }) => (id === undefined ? ['/fixed'] : [`/${id}`]),
    },
  );
  const spec = (id: string, key: string | null, fault: RequestSpec['fault'] = 'none'): RequestSpec => {
    const found = operations.find((each) => each.id === id);
    if (!found) throw new RangeError(id);
    return { experiment: 'x', step: 'x', operation: found, key, fault };
  };
  return { sent, prepared, spec, clock };
}

test('what an operation needs is made once a key, since making it costs budget', async () => {
  const { sent, prepared, spec } = workshop();
  expect(await prepared.for(spec('get', 'key-1'))).toEqual({ id: '1' });
  expect(await prepared.for(spec('get', 'key-1'))).toEqual({ id: '1' });
  expect(await prepared.for(spec('get', 'key-2'))).toEqual({ id: '2' });
  expect(sent).toEqual(['create key-1', 'create key-2']);
});

test('what is taken away while it is made is made anew', async () => {
  const { sent, prepared, spec } = workshop();
  const making = prepared.for(spec('get', 'key-1'));
  prepared.taken(spec('remove', 'key-2').operation, ['/1']);
  await making;
  expect(prepared.stands(spec('get', 'key-1'))).toBe(false);
  expect(await prepared.for(spec('get', 'key-1'))).toEqual({ id: '2' });
  expect(sent).toHaveLength(2);
});

test('what an operation has used up is made anew, and what it was refused is not', async () => {
  const { sent, prepared, spec } = workshop();
  const remove = spec('remove', 'key-1');
  expect(await prepared.for(remove)).toEqual({ id: '1' });
  expect(await prepared.for(remove)).toEqual({ id: '1' });
  prepared.taken(remove.operation, ['/1']);
  expect(prepared.stands(remove)).toBe(false);
  expect(await prepared.for(remove)).toEqual({ id: '2' });
  expect(prepared.stands(remove)).toBe(true);
  expect(sent).toHaveLength(2);
});

test('what another operation has taken away is made anew, whoever it was prepared for', async () => {
  const { sent, prepared, spec } = workshop();
  await prepared.for(spec('get', 'key-1'));
  await prepared.for(spec('get', 'key-2'));
  prepared.taken(spec('remove', 'key-2').operation, ['/1']);
  expect(await prepared.for(spec('get', 'key-1'))).toEqual({ id: '3' });
  expect(await prepared.for(spec('get', 'key-2'))).toEqual({ id: '2' });
  expect(sent).toEqual(['create key-1', 'create key-2', 'create key-1']);
});

test('a request that must not succeed takes what its control has made, and uses nothing up', async () => {
  const { sent, prepared, spec } = workshop();
  await prepared.for(spec('remove', 'key-1'));
  for (const [key, fault] of [
    [null, 'no-key'],
    ['unknown', 'bad-key'],
    ['restricted', 'permission'],
  ] as const) {
    expect(await prepared.for(spec('remove', key, fault))).toEqual({ id: '1' });
  }
  expect(sent).toEqual(['create key-1']);
});

test('what was refused over the limit is made when the budget is back, and not before', async () => {
  const { sent, prepared, spec, clock } = workshop();
  clock.refusedUntil = 60e6;
  const get = spec('get', 'key-1');
  await expect(prepared.for(get)).rejects.toThrow('429');
  clock.now = 59e6;
  await expect(prepared.for(get)).rejects.toThrow('429');
  expect(sent).toHaveLength(1);
  clock.now = 60e6;
  expect(await prepared.for(get)).toEqual({ id: '2' });
});

test('what a key had no room for, another one makes for those without a key', async () => {
  const { sent, prepared, spec, clock } = workshop();
  clock.refusedUntil = 60e6;
  await expect(prepared.for(spec('get', 'key-1'))).rejects.toThrow('429');
  clock.refusedUntil = 0;
  await prepared.for(spec('get', 'key-2'));
  expect(await prepared.for(spec('get', null, 'no-key'))).toEqual({ id: '2' });
  expect(sent).toEqual(['create key-1', 'create key-2']);
});

test.each([
  [{ status: 429, failure: null }, 'answered 429'],
  [{ status: null, failure: 'refused' } as const, 'got no answer (refused)'],
])('what a preparation came to is a sentence', (exchange, shown) => {
  expect(unpreparedText('mk', exchange)).toBe(`mk, which prepares other operations, ${shown}`);
});
