import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import type { Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { systemClock } from '../../clock/system-clock.ts';
import { clientOf, get, HTTP, listening, post } from './loopback.test-support.ts';

const file = (name: string): string => fileURLToPath(new URL(`./test-certificates/${name}`, import.meta.url));
const CERTIFICATE = { cert: readFileSync(file('server.pem')), key: readFileSync(file('server-key.pem')) };

// The server of these tests runs in this process and reads the same clock, so its decisions can be compared with our
// stamps.
const clock = systemClock();
const decisions = new Map<string, number>();

function decide(request: { readonly url?: string | undefined }, response: { end(text: string): unknown }): void {
  decisions.set(request.url ?? '', clock.now());
  response.end('{}');
}

const SERVERS = {
  http: () => createHttpServer(decide),
  https: () => createServer(CERTIFICATE, decide),
  h2: () => createSecureServer({ ...CERTIFICATE, allowHTTP1: true }, decide) as unknown as Server,
};

test.each([
  ['http', 'one by one'],
  ['http', 'connections'],
  ['http', 'pipelined'],
  ['https', 'one by one'],
  ['https', 'connections'],
  ['https', 'pipelined'],
  ['h2', 'multiplexed'],
] as const)('over %s, %s: every decision falls between sent and answered', async (protocol, delivery) => {
  decisions.clear();
  const port = await listening(SERVERS[protocol]());
  const client = clientOf(port, {
    clock,
    baseUrl: `${protocol === 'http' ? 'http' : 'https'}://localhost:${port}`,
    http: { tls: { ...HTTP.tls, caFile: file('ca.pem') } },
  });
  const requests = Array.from({ length: 60 }, (_, n) =>
    n % 3 === 0 ? post(`/${n}`, `"${'x'.repeat(n)}"`) : get(`/${n}`),
  );
  const answers =
    delivery === 'one by one'
      ? await Promise.all(requests.map((request) => client.send(request)))
      : await client.burst(requests, { delivery, at: clock.now() + 20_000 });
  for (const [n, { sent, answered, status }] of answers.entries()) {
    const decision = decisions.get(`/${n}`) ?? Number.NaN;
    expect(status).toBe(200);
    expect(sent).toBeLessThanOrEqual(decision);
    expect(answered).toBeGreaterThanOrEqual(decision);
  }
});
