import { describe, expect, test } from 'vitest';
import { operationOf, profileWith } from '../profile/profile.test-support.ts';
import { byApiKey, byBearer } from './credentials.ts';
import type { RequestSpec } from './request-spec.ts';
import { openStatefulSession, type TargetOptions } from './stateful-target.test-support.ts';

const OPTIONS: TargetOptions = { seed: 1, thingsFirst: false, perKey: false, sameName: 'another' };

const body = { contentType: 'application/json', text: '{"name":"x {{uuid}}"}' };
const put = operationOf({ id: 'put', group: 'labels', kind: 'write', method: 'PUT', path: '/labels/tall', body });
const remove = operationOf({ ...put, id: 'remove', method: 'DELETE', body: null, prepare: ['put'] });
const get = operationOf({ id: 'get', group: 'labels', path: '/labels/tall' });
const list = operationOf({ id: 'list', group: 'labels', path: '/labels' });
const fill = operationOf({ ...put, id: 'fill', method: 'POST', path: '/labels', capture: [idOf('made')] });
const publish = operationOf({
  ...fill,
  id: 'publish',
  path: '/labels/{{made}}/publish',
  prepare: ['fill'],
  capture: [],
});
const fixed = operationOf({ ...fill, id: 'fixed', body: { ...body, text: '{"name":"fixed"}' }, cleanup: ['drop'] });
const drop = operationOf({ ...remove, id: 'drop', path: '/labels/{{made}}', prepare: ['fill'] });

function idOf(name: string) {
  return { name, from: { pointer: '/id' } };
}

function opened(over: Partial<TargetOptions> = {}) {
  const profile = profileWith({ operations: [put, remove, get, list, fill, publish, fixed, drop] });
  return openStatefulSession(profile, { ...OPTIONS, ...over });
}

function spec(operation: RequestSpec['operation'], over: Partial<RequestSpec> = {}): RequestSpec {
  return { experiment: 'x', step: 'control', operation, key: 'key-1', ...over };
}

const WAYS = [byApiKey('good-key-one'), byBearer('good-key-one')];

test('a fixed thing is put, deleted, put and deleted, though both ways of sending the key ask at once', async () => {
  const { session, exchanges } = opened();
  await Promise.all(WAYS.map((credential) => session.sendOne(spec(remove, { credential }))));
  expect(exchanges.map(({ method, status }) => `${method} ${status}`)).toEqual([
    'PUT 200',
    'DELETE 200',
    'PUT 200',
    'DELETE 200',
  ]);
});

test('what another operation takes away is not met by a read that needs it, on any key', async () => {
  const { session } = opened();
  const specs = Array.from({ length: 12 }, (_, index) =>
    spec(index % 2 === 0 ? get : remove, { key: index % 4 < 2 ? 'key-1' : 'key-2' }),
  );
  const seen = await Promise.all(specs.map((each) => session.sendOne(each)));
  expect(seen.map(({ status }) => status)).toEqual(specs.map(() => 200));
});

test('what succeeds once is prepared for each request', async () => {
  const { session, exchanges } = opened();
  const seen = await Promise.all(WAYS.map((credential) => session.sendOne(spec(publish, { credential }))));
  expect(seen.map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set(exchanges.filter(({ operation }) => operation === 'publish').map(({ target }) => target)).size).toBe(
    2,
  );
});

test('a request that must not succeed finds what it asks for, and leaves it for the next', async () => {
  const { session, exchanges } = opened({ thingsFirst: true });
  await session.sendOne(spec(remove));
  const faulty = Array.from({ length: 3 }, () => spec(remove, { key: null, fault: 'no-key', step: 'probe' }));
  const seen = await Promise.all(faulty.map((each) => session.sendOne(each)));
  expect(seen.map(({ status }) => status)).toEqual([401, 401, 401]);
  expect(exchanges.filter(({ operation }) => operation === 'put')).toHaveLength(2);
});

test('where each sending makes the same thing, it is removed before the next', async () => {
  const { session, exchanges } = opened({ sameName: 'refused' });
  const seen = await Promise.all(WAYS.map((credential) => session.sendOne(spec(fixed, { credential }))));
  expect(seen.map(({ status }) => status)).toEqual([200, 200]);
  expect(exchanges.map(({ operation }) => operation)).toEqual(['fixed', 'drop', 'fixed', 'drop']);
  expect(await session.cleanUp()).toBe(0);
});

describe('what was created to prepare an operation', () => {
  const made = operationOf({ ...fill, id: 'made', cleanup: ['drop'] });
  const dropMade = operationOf({ ...drop, prepare: ['made'] });
  const read = operationOf({ id: 'read', group: 'labels', path: '/labels/{{made}}', prepare: ['made'] });
  const broken = operationOf({ ...put, id: 'broken', path: '/labels/broken' });
  const chain = operationOf({ ...publish, id: 'chain', prepare: ['made', 'broken'] });

  test.each([
    ['is removed at the end', read, ['made', 'read', 'drop']],
    ['is not removed again, where the operation removed it', dropMade, ['made', 'drop']],
    ['is removed too where a later step failed', chain, ['made', 'broken', 'drop']],
  ])('%s', async (_, operation, expected) => {
    const profile = profileWith({ operations: [made, dropMade, read, broken, chain] });
    const failsOn = ({ target }: { readonly target: string }) => target === '/labels/broken';
    const { session, exchanges } = openStatefulSession(profile, { ...OPTIONS, failsOn });
    await session.attempt(spec(operation));
    expect(await session.cleanUp()).toBe(0);
    expect(exchanges.map((each) => each.operation)).toEqual(expected);
  });
});

test('a burst is sent at once, whatever waits', async () => {
  const { session, exchanges } = opened();
  const singles = Array.from({ length: 4 }, () => session.sendOne(spec(remove)));
  const burst = await session.sendAtOnce(Array.from({ length: 20 }, () => spec(list)));
  await Promise.all(singles);
  const [first] = burst;
  const last = Math.max(...burst.map(({ sent }) => sent));
  const between = exchanges.filter(
    ({ operation, sent }) => operation !== 'list' && sent > (first?.sent ?? 0) && sent < last,
  );
  expect(between).toEqual([]);
});

test('max_rate holds for what prepares and what cleans up as for all else', async () => {
  const operations = [put, { ...remove, cleanup: [] }, fixed, drop, fill];
  const profile = profileWith({ operations, pacing: { maxRate: 2, maxRequests: null } });
  const { session, exchanges } = openStatefulSession(profile, OPTIONS);
  for (const each of [remove, fixed, remove]) await session.sendOne(spec(each));
  await session.cleanUp();
  const sent = exchanges.map((each) => each.sent);
  expect(new Set(exchanges.map(({ step }) => step))).toEqual(new Set(['prepare', 'control', 'remove']));
  for (const [index, time] of sent.entries()) {
    if (index > 0) expect(time - (sent[index - 1] ?? 0)).toBeGreaterThan(490_000);
  }
});
