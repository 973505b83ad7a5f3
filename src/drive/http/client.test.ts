import { describe, expect, test } from 'vitest';
import { clientOf, get, httpServer, KEY, post, rawServer, singleWorker } from './loopback.test-support.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

describe('what is sent', () => {
  test('the request goes out exactly as told, below the base path', async () => {
    let seen = '';
    const port = await rawServer((socket, text) => {
      seen += text;
      socket.write(OK);
    });
    const answer = await clientOf(port).send({
      method: 'POST',
      target: '/Labels//?q=%20a',
      headers: [
        ['X-API-Key', ` ${KEY} `],
        ['x-api-key', ''],
      ],
      body: { contentType: 'application/json', text: '"ä"' },
    });
    expect(answer.status).toBe(200);
    const [head = '', body] = seen.split('\r\n\r\n');
    const lines = head.split('\r\n');
    expect(lines[0]).toBe('POST /api/v1/Labels//?q=%20a HTTP/1.1');
    expect(lines).toContain(`host: 127.0.0.1:${port}`);
    expect(lines).toContain('user-agent: size-chart-conformance/test');
    expect(lines).toContain('content-type: application/json');
    expect(lines).toContain('content-length: 4');
    expect(lines).toContain(`X-API-Key:  ${KEY} `);
    expect(lines).toContain('x-api-key: ');
    expect(Buffer.from(body ?? '', 'latin1').toString()).toBe('"ä"');
  });

  test('a nonce has a header of its own, which no request can bring along or replace', async () => {
    const seen: unknown[] = [];
    const port = await httpServer((request, response) => {
      seen.push([request.headers['x-conformance-nonce'], request.headers['user-agent']]);
      response.end();
    });
    const client = clientOf(port, { sender: { userAgent: 'suite', nonce: 'n-1' } });
    await client.send(get('/labels', [['User-Agent', 'another']]));
    await client.burst([get('/labels', [['User-Agent', 'another']])], { delivery: 'pipelined' });
    expect(seen).toEqual([
      ['n-1', 'another'],
      ['n-1', 'another'],
    ]);
    const replacing = client.send(get('/labels', [['x-conformance-nonce', 'n-2']]));
    await expect(replacing).rejects.toThrow('the client sets it');
  });

  test('an origin replaces the base URL, and an empty target is the base URL itself', async () => {
    const seen: string[] = [];
    const port = await httpServer((request, response) => {
      seen.push(request.url ?? '');
      response.end();
    });
    const client = clientOf(port);
    await client.send({ ...get('/labels'), origin: `http://127.0.0.1:${port}/` });
    await client.send(get(''));
    await client.send({ ...get(''), origin: `http://127.0.0.1:${port}` });
    expect(seen).toEqual(['/labels', '/api/v1', '/']);
  });

  test.each([
    ['a line break in a value', { ...get(), headers: [['X-API-Key', `${KEY}\n`]] as const }],
    ['a framing header', { ...get(), headers: [['Transfer-Encoding', 'chunked']] as const }],
    ['a space in the path', get('/a b')],
    ['no method', { ...get(), method: 'GE T' }],
    ['no URL', { ...get(), origin: 'labels' }],
    ['another scheme', { ...get(), origin: 'ftp://localhost/' }],
  ])('%s is refused without quoting the key', async (_, request) => {
    const port = await httpServer((_request, response) => response.end());
    const failure = await clientOf(port)
      .send(request)
      .then(
        () => null,
        (error: Error) => error,
      );
    expect(failure?.name).toBe('RequestError');
    expect(failure?.message).not.toContain(KEY);
  });

  test('a connection is kept for pooled requests, and a fresh one belongs to its request alone', async () => {
    const port = await httpServer((request, response) => response.end(String(request.socket.remotePort)));
    const client = clientOf(port);
    const kept = [await client.send(get()), await client.send(get())];
    const fresh = await client.send({ ...get(), connection: 'fresh' });
    const after = await client.send(get());
    expect(kept.map(({ connection }) => connection)).toEqual([1, 1]);
    expect([fresh.connection, after.connection]).toEqual([2, 3]);
    expect(client.opened).toBe(3);
  });

  test('requests under way at once have a connection each', async () => {
    const waiting: (() => void)[] = [];
    const port = await httpServer((_, response) => {
      waiting.push(() => response.end());
      if (waiting.length === 5) for (const answer of waiting) answer();
    });
    const client = clientOf(port);
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.send(get())));
    expect(new Set(answers.map(({ connection }) => connection)).size).toBe(5);
  });
});

test('two senders get their answers from a server with a single worker', async () => {
  const client = clientOf(await singleWorker(), { http: { timeoutMs: { connect: 2000, response: 1000 } } });
  const sender = async () => {
    const statuses: unknown[] = [];
    for (let n = 0; n < 15; n += 1) {
      const { status, failure } = await client.send(get());
      statuses.push(status ?? failure);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return statuses;
  };
  const statuses = await Promise.all([sender(), sender()]);
  expect(statuses.flat()).toEqual(Array.from({ length: 30 }, () => 200));
});

describe('what is received', () => {
  test('repeated headers stay apart, and what is not on the list is not kept', async () => {
    const port = await rawServer((socket) =>
      socket.write(
        'HTTP/1.1 200 OK\r\nX-RateLimit-Limit: 100\r\nx-ratelimit-limit: 30\r\nX-RateLimit-Remaining: 9\u00e9\r\n' +
          'X-RateLimit-Reset: 1763701200, 5\r\nDate: today\r\nRetry-After: 3\r\nRateLimit-Policy: "a";q=1\r\n' +
          'X-RateLimit-Scope: key\r\nSet-Cookie: a=b\r\n__proto__: x\r\nServer: a\r\nServer: b\r\nContent-Length: 0\r\n\r\n',
        'latin1',
      ),
    );
    const { headers, answered, sent } = await clientOf(port).send(get());
    expect(headers).toEqual({
      limit: ['100', '30'],
      remaining: ['9\u00e9'],
      reset: ['1763701200, 5'],
      date: ['today'],
      retryAfter: ['3'],
      other: {
        'ratelimit-policy': ['"a";q=1'],
        'x-ratelimit-scope': ['key'],
        server: ['a', 'b'],
        'content-length': ['0'],
      },
    });
    expect(answered).toBeGreaterThan(sent);
    expect(Number.isInteger(sent) && Number.isInteger(answered)).toBe(true);
  });

  test('a redirect is an answer, and is not followed', async () => {
    let requests = 0;
    const port = await httpServer((_, response) => {
      requests += 1;
      response.writeHead(302, { location: `/elsewhere?key=${KEY}` }).end();
    });
    const answer = await clientOf(port).send(get());
    expect([answer.status, requests]).toEqual([302, 1]);
    expect(answer.headers.other.location).toEqual(['/elsewhere?key=key-1']);
  });

  test('a key that the target sends back is replaced before a long value is cut', async () => {
    const port = await httpServer((_, response) => {
      response.writeHead(401, { 'www-authenticate': `${'x'.repeat(250)}${KEY}` }).end(KEY);
    });
    const answer = await clientOf(port).send(get());
    expect(JSON.stringify(answer)).not.toContain(KEY.slice(0, 6));
    expect(answer.headers.other['www-authenticate']?.[0]).toHaveLength(255);
  });

  test.each([100, 102, 103])('interim responses (%i) are skipped, however they are cut', async (status) => {
    const port = await rawServer((socket) => {
      const bytes = `HTTP/1.1 ${status} Interim\r\nLink: </a>\r\n\r\n${`HTTP/1.1 ${status} Interim\r\n\r\n`}${OK}`;
      let at = 0;
      const next = (): void => {
        socket.write(bytes.slice(at, at + 7));
        at += 7;
        if (at < bytes.length) setImmediate(next);
      };
      next();
    });
    const client = clientOf(port);
    expect(await client.send({ ...post(), keepBody: true })).toMatchObject({ status: 200, failure: null, body: '{}' });
    expect(await client.send(get())).toMatchObject({ status: 200, connection: 1 });
  });

  test.each([
    ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n', 200],
    ['GET', 'HTTP/1.1 204 No Content\r\n\r\n', 204],
    ['GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n', 304],
    ['GET', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n', 200],
    ['GET', 'HTTP/1.1 418 \r\nContent-Length: 0\r\n\r\n', 418],
  ])('%s answered by %j', async (method, bytes, status) => {
    const port = await rawServer((socket) => socket.write(bytes));
    expect(await clientOf(port).send({ ...get(), method })).toMatchObject({ status, failure: null, detail: null });
  });

  test('an answer that ends with its connection is whole', async () => {
    const port = await rawServer((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nwhole'));
    expect(await clientOf(port).send({ ...get(), keepBody: true })).toMatchObject({
      status: 200,
      body: 'whole',
      detail: null,
    });
  });

  test('of an endless body one MiB is read, and the answer stands', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let written = 0;
    const port = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n');
      const more = (): void => {
        while (!socket.destroyed && socket.write(chunk)) written += chunk.length;
      };
      socket.on('drain', more);
      more();
    });
    const answer = await clientOf(port).send({ ...get(), keepBody: true });
    expect(answer).toMatchObject({ status: 200, failure: null, detail: 'only 1 MiB of the body was read' });
    expect(answer.body?.length).toBeLessThanOrEqual(1024 * 1024);
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });
});
