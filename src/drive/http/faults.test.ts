import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../clock/system-clock.ts';
import { clientOf, get, httpServer, listening, rawServer } from './loopback.test-support.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

describe('what goes wrong', () => {
  const closed = async (): Promise<number> => {
    const server = createServer();
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    );
    await new Promise((resolve) => server.close(resolve));
    return port;
  };

  test('nothing listens', async () => {
    expect(await clientOf(await closed()).send(get())).toMatchObject({ failure: 'refused', status: null });
  });

  test('no such host', async () => {
    const client = clientOf(1, { baseUrl: 'http://no-such-host.invalid/api/v1' });
    expect((await client.send(get())).failure).toBe('dns');
  });

  test.each([
    ['before an answer', ''],
    ['within the status line', 'HTTP/1.1 2'],
    ['within the head', 'HTTP/1.1 200 OK\r\nX-Rate'],
  ])('the connection ends %s', async (_, bytes) => {
    const port = await rawServer((socket) => socket.end(bytes));
    expect(await clientOf(port).send(get())).toMatchObject({ failure: 'reset', status: null, answered: null });
  });

  test('a connection is reset', async () => {
    const port = await rawServer((socket) => socket.resetAndDestroy());
    expect(await clientOf(port).send(get())).toMatchObject({ failure: 'reset', status: null });
  });

  test('a body that is cut short leaves the answer and a word on it', async () => {
    const port = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhal'));
    const answer = await clientOf(port).send(get());
    expect(answer).toMatchObject({ status: 200, failure: null });
    expect(answer.detail).not.toBeNull();
  });

  test.each([
    ['HTML without a head', '<html>hello</html>'],
    ['noise', '\u0000\u0001\u0002\r\n\r\n'],
    ['a bad header line', 'HTTP/1.1 200 OK\r\nno colon\r\n\r\n'],
    ['a length given twice', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'],
    ['a switch of protocols', 'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
  ])('%s is no answer', async (_, bytes) => {
    const port = await rawServer((socket) => socket.write(bytes, 'latin1'));
    expect(await clientOf(port).send(get())).toMatchObject({ failure: 'protocol', status: null });
  });

  test.each([
    ['<html>hello</html>', /is not HTTP: correct the scheme/],
    ['HTTP/1.1 200 OK\r\nno colon\r\n\r\n', /does not follow HTTP\/1\.1 \(invalid header token\)/],
    ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok', /Content-Length is there twice/],
  ])('%j: what is wrong with it is said', async (bytes, said) => {
    const port = await rawServer((socket) => socket.write(bytes, 'latin1'));
    expect((await clientOf(port).send(get())).detail).toMatch(said);
  });

  test('plain HTTP to a TLS port says so', async () => {
    const port = await rawServer((socket) => socket.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 70])));
    const answer = await clientOf(port).send(get());
    expect(answer.failure).toBe('protocol');
    expect(answer.detail).toContain('https://');
  });

  test('a header section without end is cut off', async () => {
    const port = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = (): void => {
        while (!socket.destroyed && socket.write(`X-Fill: ${'x'.repeat(1000)}\r\n`));
      };
      socket.on('drain', more);
      more();
    });
    expect(await clientOf(port).send(get())).toMatchObject({ failure: 'too-large', status: null });
  });

  test('silence ends in a time-out', async () => {
    const port = await rawServer(() => {});
    const client = clientOf(port, { http: { timeoutMs: { connect: 2000, response: 50 } } });
    expect(await client.send(get())).toMatchObject({ failure: 'timeout', status: null });
  });

  test('slow bytes of a head end in a time-out, those of a body leave the answer', async () => {
    const drip = (text: string): Promise<number> =>
      rawServer((socket) => {
        let at = 0;
        const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(text[at++] ?? 'x')), 5);
      });
    const http = { timeoutMs: { connect: 2000, response: 60 } };
    expect(await clientOf(await drip('HTTP/1.1 200 OK and so on for a long time'), { http }).send(get())).toMatchObject(
      {
        failure: 'timeout',
      },
    );
    const slow = await rawServer((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx'));
    const answer = await clientOf(slow, { http }).send(get());
    expect(answer).toMatchObject({ status: 200, failure: null });
    expect(answer.detail).toContain('body');
  });

  test('a scaled clock does not shorten a time-out below what a network needs', async () => {
    const port = await httpServer((_, response) => setTimeout(() => response.end(), 100));
    const client = clientOf(port, { clock: systemClock(1000) });
    expect((await client.send(get())).status).toBe(200);
  });

  test('an abort answers at once, before and after the request has left', async () => {
    const port = await rawServer(() => {});
    const client = clientOf(port);
    expect((await client.send(get(), AbortSignal.abort())).failure).toBe('aborted');
    const controller = new AbortController();
    const answer = client.send(get(), controller.signal);
    setTimeout(() => controller.abort(), 20);
    expect((await answer).failure).toBe('aborted');
  });

  test('a request that was written on a dying connection is not sent again', async () => {
    let requests = 0;
    const port = await rawServer((socket) => {
      requests += 1;
      if (requests === 1) socket.write(OK);
      else socket.destroy();
    });
    const client = clientOf(port);
    expect((await client.send(get())).status).toBe(200);
    expect((await client.send(get())).failure).toBe('reset');
    expect(requests).toBe(2);
  });

  test('a kept connection that the other side closed is replaced', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const port = await rawServer((socket) => {
      socket.write(OK);
      // Closed on both sides, so the client has noticed.
      socket.once('close', () => resolve());
      setTimeout(() => socket.end(), 10);
    });
    const client = clientOf(port);
    expect((await client.send(get())).status).toBe(200);
    await closed;
    expect(await client.send(get())).toMatchObject({ status: 200, connection: 2 });
  });

  test('closing the client answers what is under way', async () => {
    const port = await listening(createServer());
    const client = clientOf(port);
    const answer = client.send(get());
    setTimeout(() => client.close(), 30);
    expect((await answer).status).toBeNull();
  });
});
