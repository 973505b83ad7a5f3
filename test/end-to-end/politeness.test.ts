import { createServer, request as forward } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTrace } from '../../src/trace/read-trace.ts';
import { front } from '../worst-day/front.test-support.ts';
import { expectInOrder, KEYS, reportOf, run, temporaryFolder } from './command.test-support.ts';
import { httpServer, listening, reference } from './server.test-support.ts';

const SCALE = 20;

test('each request says who sends it, and why', async () => {
  const agents = new Set<string | undefined>();
  const baseUrl = await httpServer((request, response) => {
    agents.add(request.headers['user-agent']);
    response.writeHead(401).end();
  });
  await run(['certify', '--nonce', 'a-nonce-of-a-certifier'], { baseUrl, cwd: temporaryFolder(), scale: SCALE });
  const suite = [...agents].filter((each) => each?.startsWith('size-chart-conformance/'));
  expect(suite).toEqual([
    expect.stringMatching(/^size-chart-conformance\/\S+ \(conformance test; nonce a-nonce-of-a-certifier\)$/),
  ]);
});

test.each([301, 302, 307, 308])(
  'a redirect (%i) carries no key to another origin: nothing is sent there',
  async (status) => {
    let elsewhere = 0;
    const other = await httpServer((_, response) => {
      elsewhere += 1;
      response.end();
    });
    let keys = 0;
    const baseUrl = await httpServer((request, response) => {
      if (KEYS.full.some((key) => JSON.stringify(request.headers).includes(key))) keys += 1;
      response.writeHead(status, { location: `${other}${request.url}` }).end();
    });
    const cwd = temporaryFolder();
    const ended = await run(['check'], { baseUrl, cwd, scale: SCALE });
    await expectInOrder(ended, 1, join(cwd, 'out'));
    expect(keys).toBeGreaterThan(0);
    expect(elsewhere).toBe(0);
  },
);

test('before a run that spends the budgets of a target that is not this machine, it is said that it does', async () => {
  const warning = 'This spends the read and write budgets of 4 keys: nobody else may use them until the run ends.';
  const plan = (baseUrl: string) => run(['certify', '--dry-run'], { baseUrl, cwd: temporaryFolder(), out: null });
  expect((await plan('https://charts.acme.example/api/v1')).stdout).toContain(warning);
  expect((await plan('http://127.0.0.1:9/api/v1')).stdout).not.toContain(warning);
});

test('HTTPS_PROXY is used for a secure target, and nothing else gets to see it', async () => {
  const asked = new Set<string | undefined>();
  const server = createServer();
  server.on('connect', (request, socket) => {
    asked.add(`${request.method} ${request.url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  const proxy = new URL(await listening(server)).origin;
  const cwd = temporaryFolder();
  const baseUrl = 'https://charts.acme.example/api/v1';
  const ended = await run(['check'], { baseUrl, cwd, env: { HTTPS_PROXY: proxy } });
  await expectInOrder(ended, 3, join(cwd, 'out'));
  expect([...asked]).toEqual(['CONNECT charts.acme.example:443']);
});

test('a base URL with a port and a path before the prefix', async () => {
  const { baseUrl } = await reference(SCALE);
  const { hostname, port } = new URL(baseUrl);
  const outside: string[] = [];
  const front = await httpServer((request, response) => {
    const { url = '', method, headers } = request;
    if (!url.startsWith('/shop/eu/')) outside.push(url);
    const path = url.replace(/^\/shop\/eu/, '');
    const behind = forward({ hostname, port, path, method, headers }, (answer) => {
      response.sendDate = false;
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    request.pipe(behind);
  });
  const cwd = temporaryFolder();
  const ended = await run(['certify', '--only', 'AUTH-4,STATUS-200,VERSION-1'], {
    baseUrl: `${new URL(front).origin}/shop/eu/api/v1`,
    cwd,
    scale: SCALE,
  });
  await expectInOrder(ended, 0, join(cwd, 'out'));
  expect(reportOf(join(cwd, 'out')).verdicts.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['AUTH-4', 'pass'],
    ['STATUS-200', 'pass'],
    ['VERSION-1', 'pass'],
  ]);
  expect(outside).toEqual([]);
});

test('check waits for a spent budget where the refusal says how long, and asks nothing meanwhile', async () => {
  const { baseUrl } = await reference(SCALE, { variant: 'anchored-second-clock' });
  const target = await front(baseUrl, {
    handle: async ({ number, pass }) => {
      const spend = (key: string) => fetch(`${baseUrl}/service`, { headers: { 'x-api-key': key } });
      if (number === 1) await Promise.all(KEYS.full.flatMap((key) => Array.from({ length: 100 }, () => spend(key))));
      pass();
    },
  });
  const cwd = temporaryFolder();
  const ended = await run(['check'], { baseUrl: target, cwd, scale: SCALE });
  await expectInOrder(ended, 0, join(cwd, 'out'));
  const { exchanges } = await readTrace(join(cwd, 'out', 'trace.ndjson'));
  const refused = exchanges.find(({ status }) => status === 429);
  const wait = Number(refused?.headers.retryAfter[0]);
  expect(wait).toBeGreaterThan(0);
  const times = exchanges.map(({ sent }) => sent / 1e6).sort((one, other) => one - other);
  expect(Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)))).toBeGreaterThan(wait - 1);
});
