import { expect, test } from 'vitest';
import { ODD_TO_CHECK } from '../../plan/allowance.ts';
import { operationOf, profileWith } from '../../profile/profile.test-support.ts';
import type { RuledOut } from '../../property/odd-request.ts';
import { recall } from '../../replay/recall.ts';
import type { OutgoingRequest } from '../http/message.ts';
import { openStatefulSession } from '../stateful-target.test-support.ts';
import { odd, oddSchedule } from './odd.ts';

const json = { contentType: 'application/json', text: '{"name":"x {{uuid}}","size":[1,2]}' };
const list = operationOf({
  id: 'list',
  group: 'labels',
  path: '/labels',
  query: { page: '1' },
  headers: { 'X-Tenant': 'a secret of the vendor' },
});
const put = operationOf({
  ...list,
  query: {},
  id: 'put',
  group: 'labels',
  kind: 'write',
  method: 'PUT',
  path: '/labels/tall',
  body: json,
});
const post = operationOf({ ...put, id: 'post', method: 'POST', path: '/labels' });
const ALLOWANCE = { malformed: 'all', drawn: 'all', own: 16, requests: 150, shrinks: 60 } as const;

function opened(failsOn?: (request: OutgoingRequest) => boolean, seed = 7) {
  const profile = profileWith({ operations: [list, put, post] });
  const base = { seed, thingsFirst: false, perKey: false, sameName: 'another' } as const;
  return openStatefulSession(profile, { ...base, ...(failsOn ? { failsOn } : {}) });
}

const isMalformed = (text: string): boolean => {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
};

test('a server that keeps to what holds for every response shows nothing, within the allowance', async () => {
  const { session, exchanges, notes } = opened();
  expect(await odd(session, [], ALLOWANCE)).toBeNull();
  expect(notes).toEqual([]);
  expect(exchanges.length).toBeLessThanOrEqual(ALLOWANCE.requests + 9);
  expect(exchanges.filter(({ step }) => step !== 'restore').every(({ fault }) => fault === 'unstated')).toBe(true);
});

test('malformed JSON is sent to each operation that takes JSON, whatever the allowance', async () => {
  const { session, exchanges } = opened((request) => isMalformed(request.body?.text ?? '{}'));
  await odd(session, [], { ...ALLOWANCE, own: 0, requests: 0, shrinks: 0 });
  expect(exchanges.map(({ operation, status }) => `${operation} ${status}`).sort()).toEqual(['post 500', 'put 500']);
});

test.each([1, 2, 3])(
  'a check sends each oddity once to each kind that can have it, whatever the seed (%i)',
  async (seed) => {
    const allowance = { ...ODD_TO_CHECK, own: 0 };
    const { session, exchanges } = opened(undefined, seed);
    await odd(session, [], allowance);
    const sent = exchanges
      .filter(({ step }) => step !== 'restore')
      .map(({ kind, variation }) => `${kind} ${variation}`);
    const bodies = ['malformed-body', 'wrong-types', 'content-type'].map((each) => `write ${each}`);
    const any = ['read', 'write'].flatMap((kind) => [`${kind} headers`, `${kind} parameters`]);
    expect(sent.sort()).toEqual([...bodies, ...any].sort());
    const due = oddSchedule(session.profile.operations, session.random('odd'), allowance);
    expect(due.map(({ operation, oddity }) => `${operation.kind} ${oddity}`).sort()).toEqual(sent);
  },
);

test('a recorded odd request is sent again as it was, whatever is odd about it', async () => {
  const seen: OutgoingRequest[] = [];
  const { session, exchanges } = opened((request) => seen.push(request) === 0);
  await odd(session, [], ALLOWANCE);
  const first = [...seen];
  expect(new Set(exchanges.flatMap(({ variation }) => variation ?? [])).size).toBe(5);
  seen.length = 0;
  for (const exchange of [...exchanges]) await session.attempt(recall(exchange, session));
  // Names that are made up differ each time.
  const plain = (request: OutgoingRequest | undefined) => JSON.stringify(request).replaceAll(/[0-9a-f-]{36}/g, 'uuid');
  // Some of them are under way at the same time.
  expect(seen.map(plain).sort()).toEqual(first.map(plain).sort());
});

test('an accepted oddity is put right again', async () => {
  const { session, exchanges } = opened();
  await odd(session, [], ALLOWANCE);
  const stored = exchanges.filter((each) => each.method === 'PUT' && each.status === 200);
  const odds = stored.filter(({ fault }) => fault === 'unstated');
  expect(odds.length).toBeGreaterThan(0);
  expect(stored.length).toBe(2 * odds.length);
});

test.each([
  ['a long parameter', (request: OutgoingRequest) => request.target.length > 300, 'x'.repeat(1000)],
  ['another content type', (request: OutgoingRequest) => request.body?.contentType === 'text/plain', 'text/plain'],
  ['a long header', (request: OutgoingRequest) => request.headers.some(([, value]) => value.length > 300), '-H'],
  ['malformed JSON', (request: OutgoingRequest) => isMalformed(request.body?.text ?? '{}'), '--data-raw'],
])('%s that is answered 500 is found, made smaller by sending, and shown as one curl', async (_, failsOn, shown) => {
  const { session, exchanges, notes } = opened(failsOn);
  const curl = await odd(session, [], ALLOWANCE);
  expect(curl).toMatch(
    /^printf '%s\\n' "X-API-Key: \$SIZE_CHART_KEY"[^|]* \| curl -i -X (GET|PUT|POST) -H @- (?!.*\$)/s,
  );
  expect(curl).toContain(shown);
  expect(curl).not.toContain('good-key');
  expect(curl).not.toContain('a secret of the vendor');
  expect(notes.map(({ code }) => code)).toEqual(['experiment-failed']);
  expect(exchanges.length).toBeLessThanOrEqual(ALLOWANCE.requests + ALLOWANCE.shrinks + 9);
});

test('what an interface description rules out is tried, each in its place, and found where it is answered 500', async () => {
  const ruledOut: readonly RuledOut[] = [
    { operation: 'put', where: 'body', place: ['size', 0], value: -1 },
    { operation: 'post', where: 'body', place: ['name'] },
    { operation: 'list', where: 'query', place: ['page'], value: 'not-valid' },
    { operation: 'list', where: 'path', place: [0], value: 'not valid' },
    { operation: 'list', where: 'header', place: ['X-Depth'], value: '0.5' },
  ];
  const sent = async (failsOn?: (request: OutgoingRequest) => boolean) => {
    const requests: OutgoingRequest[] = [];
    const { session } = opened((request) => requests.push(request) > 0 && (failsOn?.(request) ?? false));
    return { curl: await odd(session, ruledOut, ALLOWANCE), requests };
  };
  const { requests } = await sent();
  const bodies = requests.map(({ method, body }) => `${method} ${body?.text.replace(/x [0-9a-f-]{36}/, 'x')}`);
  expect(bodies).toContain('PUT {"name":"x","size":[-1,2]}');
  expect(bodies).toContain('POST {"size":[1,2]}');
  const targets = requests.map(({ target }) => target);
  expect(targets).toContain('/labels?page=not-valid');
  expect(targets).toContain('/not%20valid?page=1');
  expect(requests.flatMap(({ headers }) => headers)).toContainEqual(['X-Depth', '0.5']);

  const { curl } = await sent(({ body }) => body?.text.includes('-1,') ?? false);
  expect(curl).toContain('"size":[-1,2]');
});

test('a seed repeats its requests', async () => {
  const targetsOf = async (seed: number) => {
    const { session, exchanges } = opened(undefined, seed);
    await odd(session, [], ALLOWANCE);
    return exchanges.map(({ method, target }) => `${method} ${target}`);
  };
  expect(await targetsOf(3)).toEqual(await targetsOf(3));
  expect(await targetsOf(3)).not.toEqual(await targetsOf(4));
});

test('a query parameter of the profile gets other values, in the path or beside it, whatever the seed', async () => {
  const inPath = operationOf({ ...list, id: 'in-path', path: '/labels?sort=name&page=1', query: {} });
  const profile = profileWith({ operations: [list, inPath] });
  const { session, exchanges } = openStatefulSession(profile, {
    seed: 1,
    thingsFirst: false,
    perKey: false,
    sameName: 'another',
    failsOn: ({ target }) => /[?&]page=\d{8}/.test(target),
  });
  await odd(session, [], { ...ALLOWANCE, requests: 0, shrinks: 0 });
  const targets = exchanges.map(({ target }) => target);
  for (const before of ['/labels?page=', '/labels?sort=name&page='])
    for (const value of ['999999999', '', 'word', '-1', '99999999999999999999'])
      expect(targets).toContain(`${before}${value}`);
  expect(targets).toContain('/labels?sort=word&page=1');
  expect(exchanges.filter(({ status }) => status === 500)).toHaveLength(4);
});
