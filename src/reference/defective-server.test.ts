import { describe, expect, test } from 'vitest';
import { stillClock } from '../clock/still-clock.test-support.ts';
import { readProfile } from '../profile/read-profile.ts';
import { DEFECTS } from './defects.ts';
import { referenceProfile } from './profile.ts';
import { type ReferenceServer, startReference } from './server.ts';

const KEYS = { full: ['full-a', 'full-b'], restricted: 'reads-only', revoked: 'was-valid' };

async function withServer<T>(defect: string | undefined, use: (server: ReferenceServer) => Promise<T>): Promise<T> {
  const server = await startReference({ keys: KEYS, defect, clock: stillClock() });
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

async function statusOf({ baseUrl }: ReferenceServer, path: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(`${baseUrl}${path}`, {
    redirect: 'manual',
    ...init,
    headers: { 'x-api-key': 'full-a', ...init.headers },
  });
  await response.text();
  return response.status;
}

test.each(DEFECTS)('a server with $name answers', async ({ name }) => {
  await withServer(name, async (server) => {
    const statuses = await Promise.all([
      statusOf(server, '/service', { headers: { 'x-api-key': '', authorization: 'Bearer full-a' } }),
      statusOf(server, '/categories'),
      statusOf(server, '/labels', { method: 'POST', body: '{"name":"x"}' }),
      statusOf(server, '/labels/3', { method: 'DELETE' }),
    ]);
    expect(statuses.every((status) => status >= 200 && status < 600)).toBe(true);
  });
});

describe('defects that only HTTP shows', () => {
  test.each([
    ['prefix-v1', '/v1'],
    ['prefix-api-v2', '/api/v2'],
    ['prefix-none', ''],
  ])('%s serves under another prefix', async (name, prefix) => {
    await withServer(name, async (server) => {
      expect(new URL(server.baseUrl).pathname).toBe(prefix || '/');
      expect(await statusOf(server, '/service')).toBe(200);
      if (prefix !== '') return;
      expect(await statusOf({ ...server, baseUrl: `${server.baseUrl}/api/v1` }, '/service')).toBe(404);
    });
  });

  test('deleted-204 has no body', async () => {
    await withServer('deleted-204', async ({ baseUrl }) => {
      const response = await fetch(`${baseUrl}/labels/1`, { method: 'DELETE', headers: { 'x-api-key': 'full-a' } });
      expect([response.status, await response.text()]).toEqual([204, '']);
    });
  });

  test('header-twice sends two field lines', async () => {
    await withServer('header-twice', async ({ baseUrl }) => {
      const response = await fetch(`${baseUrl}/service`, { headers: { 'x-api-key': 'full-a' } });
      expect(response.headers.get('x-ratelimit-remaining')).toBe('99, 4999');
    });
  });

  test.each([
    ['altered-key-accepted', { 'x-api-key': 'full-z' }],
    ['unknown-key-accepted', { 'x-api-key': 'nobody' }],
    ['empty-key-accepted', { 'x-api-key': '' }],
    ['other-scheme-accepted', { 'x-api-key': '', authorization: 'Basic full-a' }],
    ['revoked-key-accepted', { 'x-api-key': 'was-valid' }],
  ])('%s', async (name, headers) => {
    const status = (server: ReferenceServer) => statusOf(server, '/service', { headers });
    expect([await withServer(undefined, status), await withServer(name, status)]).toEqual([401, 200]);
  });

  test('spaces-around-key counts a key after two spaces apart', async () => {
    const remaining = (defect: string | undefined) =>
      withServer(defect, async ({ baseUrl }) => {
        const left = [];
        for (const authorization of ['Bearer full-a', 'Bearer  full-a']) {
          const response = await fetch(`${baseUrl}/service`, { headers: { authorization } });
          left.push(response.headers.get('x-ratelimit-remaining'));
        }
        return left;
      });
    expect(await remaining(undefined)).toEqual(['99', '98']);
    expect(await remaining('spaces-around-key')).toEqual(['99', '99']);
  });

  test.each(['read-then-write', 'stale-replica', 'cold-create'])(
    '%s loses count of requests that arrive at once',
    async (name) => {
      const lost = async (defect: string | undefined): Promise<number> =>
        withServer(defect, async ({ baseUrl }) => {
          const one = async () => {
            const response = await fetch(`${baseUrl}/service`, { headers: { 'x-api-key': 'full-a' } });
            await response.text();
            return response.headers.get('x-ratelimit-remaining');
          };
          const told = await Promise.all(Array.from({ length: 30 }, one));
          return told.length - new Set(told).size;
        });
      expect(await lost(name)).toBeGreaterThan(0);
      expect(await lost(undefined)).toBe(0);
    },
  );
});

test('the profile that comes with the server is one that the suite reads', () => {
  for (const baseUrl of [undefined, 'http://127.0.0.1:1/api/v1']) {
    const read = readProfile(referenceProfile(baseUrl), {
      file: 'profile.yaml',
      baseUrl: baseUrl ?? 'http://a/api/v1',
    });
    expect('errors' in read ? read.errors : []).toEqual([]);
  }
});
