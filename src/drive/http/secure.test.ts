import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import { connect, type Server, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Profile } from '../../profile/profile.ts';
import { clientOf, get, HTTP, httpServer, listening, post, rawServer } from './loopback.test-support.ts';

const file = (name: string): string => fileURLToPath(new URL(`./test-certificates/${name}`, import.meta.url));
const SERVER = { cert: readFileSync(file('server.pem')), key: readFileSync(file('server-key.pem')) };
const CA = readFileSync(file('ca.pem'));

function over(port: number, tls: Partial<Profile['http']['tls']> = { caFile: file('ca.pem') }, host = 'localhost') {
  return clientOf(port, { baseUrl: `https://${host}:${port}/api/v1`, http: { tls: { ...HTTP.tls, ...tls } } });
}

describe('TLS', () => {
  const secure = (): Promise<number> =>
    listening(createServer(SERVER, (request, response) => response.end(`${request.url}`)));

  test('a CA file makes a private certificate trusted, by name and by address', async () => {
    const port = await secure();
    expect(await over(port).send({ ...get(), keepBody: true })).toMatchObject({ status: 200, body: '/api/v1/labels' });
    expect((await over(port, undefined, '127.0.0.1').send(get())).status).toBe(200);
  });

  test('without it the cause and the remedy are named, unless checks are off', async () => {
    const port = await secure();
    const answer = await over(port, {}).send(get());
    expect(answer.failure).toBe('tls');
    expect(answer.detail).toContain('CA file');
    expect((await over(port, { insecure: true }).send(get())).status).toBe(200);
  });

  test('a certificate for another name is refused', async () => {
    const port = await secure();
    const answer = await over(port, undefined, '127.0.0.2').send(get());
    // If the loopback has only one address, the connection is refused instead.
    expect(['tls', 'refused']).toContain(answer.failure);
  });

  test('a client certificate is presented', async () => {
    const port = await listening(
      createServer({ ...SERVER, ca: CA, requestCert: true, rejectUnauthorized: true }, (_, response) => response.end()),
    );
    const tls = { caFile: file('ca.pem'), certFile: file('client.pem'), keyFile: file('client-key.pem') };
    expect((await over(port, tls).send(get())).status).toBe(200);
    expect((await over(port).send(get())).status).toBeNull();
  });

  test('a plain port that is spoken to by TLS is told as such', async () => {
    const plain = await over(await httpServer((_, response) => response.end())).send(get());
    expect(plain.failure).toBe('tls');
    expect(plain.detail).toContain('http://');
    const mute = await over(await rawServer((socket) => socket.destroy())).send(get());
    expect(mute.failure).toBe('tls');
  });

  test('a handshake that never ends is a time-out', async () => {
    const port = await rawServer(() => {});
    const client = clientOf(port, {
      baseUrl: `https://localhost:${port}/api/v1`,
      http: { timeoutMs: { connect: 60, response: 1000 } },
    });
    expect((await client.send(get())).failure).toBe('timeout');
  });

  test('a file that cannot be read is a fault of the profile', () => {
    expect(() => over(1, { caFile: '/none.pem' })).toThrow(
      'the CA file "/none.pem" of the profile (http.tls) cannot be read',
    );
  });

  test('a burst over TLS has a connection for each request', async () => {
    const client = over(await secure());
    const answers = await client.burst(
      Array.from({ length: 20 }, () => get()),
      { delivery: 'connections' },
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(client.opened).toBe(20);
  });
});

describe('HTTP/2', () => {
  const multiplexed = { delivery: 'multiplexed' } as const;

  test('all requests share one connection, and repeated headers stay apart', async () => {
    const sessions = new Set<unknown>();
    const server = createSecureServer({ ...SERVER, allowHTTP1: true });
    server.on('stream', (stream, headers) => {
      sessions.add(stream.session);
      stream.additionalHeaders({ ':status': 103 });
      stream.respond({
        ':status': 429,
        'x-ratelimit-limit': ['100', '30'],
        'x-ratelimit-remaining': String(headers[':path']).split('=')[1] ?? `${headers['x-api-key']}`.length,
      });
      stream.end('{}');
    });
    const client = over(await listening(server as unknown as Server));
    const requests = [...Array.from({ length: 30 }, (_, index) => get(`/labels?n=${index}`)), post()];
    const answers = await client.burst(requests, multiplexed);
    expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 429));
    expect(answers.slice(0, 30).map(({ headers }) => headers.remaining)).toEqual(
      Array.from({ length: 30 }, (_, index) => [`${index}`]),
    );
    expect(answers.every(({ sent, answered }) => sent <= (answered ?? 0))).toBe(true);
    expect(answers.map(({ headers }) => headers.limit)).toEqual(requests.map(() => ['100', '30']));
    expect([sessions.size, client.opened]).toEqual([1, 1]);
  });

  test('a stream that is reset is a failure of its own', async () => {
    const server = createSecureServer(SERVER);
    server.on('stream', (stream, headers) => {
      stream.on('error', () => {});
      if (String(headers[':path']).endsWith('=1')) stream.close(2);
      else stream.respond({ ':status': 200 }, { endStream: true });
    });
    const client = over(await listening(server as unknown as Server));
    const answers = await client.burst([get('/?n=0'), get('/?n=1'), get('/?n=2')], multiplexed);
    expect(answers.map(({ status, failure }) => status ?? failure)).toEqual([200, 'reset', 200]);
  });

  test('a target without it says so', async () => {
    const port = await listening(createServer(SERVER, (_, response) => response.end()));
    await expect(over(port).burst([get()], multiplexed)).rejects.toMatchObject({ name: 'DeliveryError' });
  });
});

describe('proxy', () => {
  /** A forwarding and tunnelling proxy. `seen` collects the first lines and credentials that it got. */
  async function proxy(seen: string[], refusal?: number): Promise<string> {
    const note = (request: IncomingMessage): void => {
      seen.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? '-'}`);
    };
    const server = createHttpServer((request, response) => {
      note(request);
      response.end('forwarded');
    });
    server.on('connect', (request: IncomingMessage, client: Socket) => {
      note(request);
      if (refusal) return client.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
      const port = Number(request.url?.split(':')[1]);
      const upstream = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
      upstream.on('error', () => client.destroy());
    });
    return `http://user:pass@127.0.0.1:${await listening(server)}`;
  }

  test('plain requests are forwarded by their absolute URL', async () => {
    const seen: string[] = [];
    const client = clientOf(1, { baseUrl: 'http://target.test/api/v1', http: { proxy: await proxy(seen) } });
    expect(await client.send({ ...get(), keepBody: true })).toMatchObject({ status: 200, body: 'forwarded' });
    expect(seen).toEqual(['GET http://target.test/api/v1/labels Basic dXNlcjpwYXNz']);
  });

  test('secure ones go through a tunnel, bursts too', async () => {
    const port = await listening(createServer(SERVER, (_, response) => response.end('tunnelled')));
    const seen: string[] = [];
    const client = clientOf(port, {
      baseUrl: `https://localhost:${port}/api/v1`,
      http: { proxy: await proxy(seen), tls: { ...HTTP.tls, caFile: file('ca.pem') } },
    });
    expect(await client.send({ ...get(), keepBody: true })).toMatchObject({ status: 200, body: 'tunnelled' });
    const answers = await client.burst([get(), get()], { delivery: 'connections' });
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(seen[0]).toBe(`CONNECT localhost:${port} Basic dXNlcjpwYXNz`);
  });

  test('a refusal is told with what to do', async () => {
    const address = await proxy([], 407);
    const client = clientOf(1, { baseUrl: 'https://localhost:1/', http: { proxy: address } });
    const answer = await client.send(get());
    expect(answer).toMatchObject({ failure: 'refused', detail: expect.stringContaining('credentials') });
    expect(JSON.stringify(answer)).not.toContain('pass');
    expect(() => clientOf(1, { http: { proxy: 'socks5://x' } })).toThrow('the proxy of the profile (http.proxy)');
  });
});

test('an IPv6 host with a port', async () => {
  const server = createHttpServer((request, response) => response.end(request.headers.host));
  const port = await new Promise<number | null>((resolve) => {
    server.once('error', () => resolve(null));
    server.listen(0, '::1', () => resolve((server.address() as { port: number }).port));
  });
  // Machines without IPv6 have nothing to test here.
  if (port === null) return;
  const client = clientOf(port, { baseUrl: `http://[::1]:${port}/api/v1` });
  expect(await client.send({ ...get(), keepBody: true })).toMatchObject({ status: 200, body: `[::1]:${port}` });
  await client.close();
  server.close();
});
