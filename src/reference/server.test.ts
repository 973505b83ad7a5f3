import { afterEach, describe, expect, test } from 'vitest';
import { stillClock } from '../clock/still-clock.test-support.ts';
import { type ReferenceOptions, type ReferenceServer, startReference } from './server.ts';

const KEYS = { full: ['full-a', 'full-b'], restricted: 'reads-only', revoked: 'gone' };
const running: ReferenceServer[] = [];

async function start(options: Partial<ReferenceOptions> = {}): Promise<ReferenceServer> {
  const server = await startReference({ keys: KEYS, clock: stillClock(), ...options });
  running.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

interface Call {
  readonly method?: string;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Body {
  readonly id?: string;
  readonly items?: readonly unknown[];
}

async function call(
  server: ReferenceServer,
  path: string,
  { method = 'GET', key = 'full-a', headers, body }: Call = {},
) {
  const response = await fetch(`${server.baseUrl}${path}`, {
    method,
    headers: { ...(key === null ? {} : { 'x-api-key': key }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const rate = ['limit', 'remaining', 'reset'].map((name) => response.headers.get(`x-ratelimit-${name}`));
  return { status: response.status, rate, body: (await response.json()) as Body, date: response.headers.get('date') };
}

describe('operations', () => {
  test.each(['categories', 'labels'])(
    '%s can be made, read, renamed, listed and deleted, always with 200',
    async (group) => {
      const server = await start();
      const made = await call(server, `/${group}`, { method: 'POST', body: { name: 'Hats' } });
      expect(made).toMatchObject({ status: 200, body: { name: 'Hats' } });
      const one = `/${group}/${made.body.id}`;
      expect(await call(server, one)).toMatchObject({ status: 200, body: made.body });
      expect(await call(server, one, { method: 'PUT', body: { name: 'Caps' } })).toMatchObject({
        status: 200,
        body: { name: 'Caps' },
      });
      const listed = await call(server, `/${group}?page=1&page_size=100`);
      expect(listed.body.items).toContainEqual({ id: made.body.id, name: 'Caps' });
      expect((await call(server, one, { method: 'DELETE' })).status).toBe(200);
      expect((await call(server, one)).status).toBe(404);
    },
  );

  test('the service is read and updated; a search is a read by POST', async () => {
    const server = await start();
    expect((await call(server, '/service', { method: 'PUT', body: { unit: 'in' } })).rate[0]).toBe('30');
    expect(await call(server, '/service')).toMatchObject({ status: 200, body: { unit: 'in' } });
    const found = await call(server, '/categories/search', { method: 'POST', body: { text: 'Shi' } });
    expect(found).toMatchObject({ status: 200, body: { items: [{ id: '1', name: 'Shirts' }] } });
    expect(found.rate[0]).toBe('100');
  });

  test.each([
    ['GET', '/categories?page=-1', undefined, 400],
    ['GET', '/labels?page_size=many', undefined, 400],
    ['POST', '/labels', { name: 7 }, 400],
    ['PUT', '/service', { unit: 'ell' }, 400],
    ['PUT', '/labels/1', {}, 400],
    ['POST', '/categories/search', {}, 400],
    ['GET', '/labels/none', undefined, 404],
    ['PUT', '/categories/none', { name: 'x' }, 404],
    ['DELETE', '/labels/none', undefined, 404],
    ['GET', '/nothing', undefined, 404],
    ['PATCH', '/service', {}, 404],
    ['GET', '/service/failure', undefined, 500],
  ])('%s %s with %j answers %i', async (method, path, body, status) => {
    const answer = await call(await start(), path, { method, ...(body ? { body } : {}) });
    expect(answer.status).toBe(status);
    expect(answer.rate).not.toContain(null);
  });

  test('paths match in any case and with a trailing slash', async () => {
    const server = await start();
    expect((await call(server, '/CATEGORIES/')).status).toBe(200);
  });
});

describe('authentication', () => {
  test.each([
    ['no key', null, {}, 401],
    ['an unknown key', 'made-up', {}, 401],
    ['an empty key', '', {}, 401],
    ['a revoked key', 'gone', {}, 401],
    ['another scheme', null, { authorization: 'Basic full-a' }, 401],
    ['an empty bearer', null, { authorization: 'Bearer ' }, 401],
    ['a bearer key', null, { authorization: 'Bearer full-a' }, 200],
    ['a restricted key', 'reads-only', {}, 200],
  ])('%s', async (_name, key, headers, status) => {
    const answer = await call(await start(), '/service', { key, headers });
    expect(answer.status).toBe(status);
    expect(answer.rate).not.toContain(null);
  });

  test('a restricted key may not write, whatever it sends', async () => {
    const answer = await call(await start(), '/labels', { method: 'POST', key: 'reads-only', body: {} });
    expect(answer.status).toBe(403);
    expect(answer.rate[0]).toBe('30');
  });
});

describe('limits', () => {
  test('reads and writes have a budget each, per key, over both ways of sending it', async () => {
    const server = await start({ variant: 'anchored' });
    const headers = { authorization: 'Bearer full-a' };
    for (let sent = 1; sent <= 30; sent++) {
      const way = sent % 2 ? { key: null, headers } : {};
      const answer = await call(server, '/labels', { method: 'POST', body: { name: 'x' }, ...way });
      expect([answer.status, answer.rate[1]]).toEqual([200, `${30 - sent}`]);
    }
    const refused = await call(server, '/labels', { method: 'POST', body: { name: 'x' } });
    expect([refused.status, refused.rate[1]]).toEqual([429, '0']);
    expect((await call(server, '/service')).rate[1]).toBe('99');
    expect((await call(server, '/service', { key: 'full-b' })).rate[1]).toBe('99');
    expect((await call(server, '/labels', { method: 'POST', key: 'full-b', body: { name: 'x' } })).rate[1]).toBe('29');
  });

  test('Date and marker follow the skewed clock', async () => {
    const clock = stillClock();
    const answer = await call(await start({ variant: 'anchored-ms', skew: 3600, clock }), '/service');
    expect(Date.parse(answer.date ?? '')).toBe(clock.epoch / 1000 + 3_600_000);
    expect(Number(answer.rate[2])).toBe(clock.epoch / 1000 + 3_660_000);
  });

  test('resets leave requests without an answer', async () => {
    const server = await start({ resets: 1 });
    await expect(call(server, '/service')).rejects.toThrow();
  });
});

test('an unknown variant is refused with its name', async () => {
  await expect(startReference({ keys: KEYS, variant: 'none' })).rejects.toThrow('no variant none');
});
