import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { operationOf, profileWith } from '../profile/profile.test-support.ts';
import { sampleExchange } from '../report/sample-exchange.test-support.ts';
import type { Exchange } from '../trace/exchange.ts';
import { scriptOf } from './script.ts';
import { inSteps } from './sequence.ts';

/**
 * Every printable character that a key may have, but the comma that separates keys, in an order in which shells would
 * expand much.
 */
const KEY = `"\\$HOME\`id\`$(id)'\\\\n%s{a}[b]!#&*;<>?^|~@=+-./:_Az09("`;
const SHELLS = ['sh', 'bash', 'dash', 'zsh', 'ksh', 'busybox'].filter(
  (name) => spawnSync(name, name === 'busybox' ? ['sh', '-c', ':'] : ['-c', ':']).status === 0,
);
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'unlisted-'));
const listed = join(folder, 'listed');

/** Starts a program, and notes the arguments that a process list would show. */
function noting(name: string, otherwise: string): void {
  const real = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
  const then = real.startsWith('/') ? `exec ${real} "$@"` : otherwise;
  writeFileSync(join(folder, name), `#!/bin/sh\n{ printf '%s ' ${name} "$@"; echo; } >>'${listed}'\n${then}\n`);
  chmodSync(join(folder, name), 0o755);
}

noting('curl', 'cat >/dev/null');
for (const name of ['sed', 'printf', 'cat', 'env', 'echo']) noting(name, 'exit 1');
afterAll(() => rmSync(folder, { recursive: true }));

const body = { contentType: 'application/json', text: `{"name":"-H \\"it's\\" http://x.example"}` };
const operations = [
  operationOf({ id: 'list', group: 'labels', path: '/labels' }),
  operationOf({ id: 'create', group: 'labels', method: 'POST', path: '/labels', headers: { 'X-Tenant': '…' }, body }),
];

function scriptFor(baseUrl: string, ...exchanges: readonly Partial<Exchange>[]): string {
  const sent = exchanges.map((each, seq) => sampleExchange({ seq, key: 'key-1', operation: 'list', ...each }));
  const steps = inSteps(sent, true);
  const sequence = { steps, pace: 'as recorded', window: null, shows: true, isCertain: true } as const;
  return scriptOf('HDR-1', sequence, { profile: profileWith({ baseUrl, operations }), scale: 1 });
}

/** What reaches a server from the script, and the process list while it runs. */
async function run(shell: string, ...exchanges: readonly Partial<Exchange>[]) {
  const requests: { url: string | undefined; headers: Readonly<Record<string, unknown>>; text: string }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      requests.push({ url: request.url, headers: request.headers, text });
      response.setHeader('X-RateLimit-Limit', '100').end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  rmSync(listed, { force: true });
  const script = scriptFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`, ...exchanges);
  const env = { PATH: `${folder}:${process.env.PATH}`, SIZE_CHART_KEYS: ` ${KEY} , second`, X_TENANT: 'a "tenant"' };
  const args = shell === 'busybox' ? ['sh', '-c', script] : ['-c', script];
  const { stdout } = await promisify(execFile)(shell, args, { env }).finally(() => server.close());
  return { requests, stdout, processes: existsSync(listed) ? readFileSync(listed, 'utf8') : '' };
}

test.each(SHELLS)('%s gives a key to curl, and not to a process list', async (shell) => {
  const write = { operation: 'create', kind: 'write', method: 'POST', target: '/labels' } as const;
  const ran = await run(shell, {}, { ...write, credential: 'bearer', sent: 9e4, answered: 9e4 + 1 });
  expect(ran.processes).toMatch(/^curl /m);
  expect(ran.processes).not.toMatch(/HOME|Az09|tenant/);
  if (!hasCurl) return;
  expect(ran.requests.map(({ headers }) => headers)).toMatchObject([
    { 'x-api-key': KEY },
    { authorization: `Bearer ${KEY}`, 'x-tenant': 'a "tenant"', 'content-type': 'application/json' },
  ]);
  expect(ran.requests[1]?.text).toBe(body.text);
  expect(ran.stdout).toBe('200 limit 100 remaining  reset \n'.repeat(2));
});

test.skipIf(!hasCurl)('nor does one in a query, or requests that are sent at once', async () => {
  const query = { credential: 'query', target: '/labels?api_key=key-1' } as const;
  const ran = await run('sh', query, query, { credential: 'none', key: null });
  expect(ran.processes).not.toMatch(/HOME|Az09/);
  const keys = ran.requests.map(({ url }) => new URL(`http://any${url}`).searchParams.get('api_key'));
  expect(keys.toSorted()).toEqual([KEY, KEY, null]);
});
