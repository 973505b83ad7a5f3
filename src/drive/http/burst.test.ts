import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../clock/system-clock.ts';
import { clientOf, get, httpServer, listening, post, rawServer, singleWorker } from './loopback.test-support.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

describe('connections', () => {
  test('each request has its own connection, and all are let go before the first answer', async () => {
    const ports = new Set<number | undefined>();
    const port = await httpServer((request, response) => {
      ports.add(request.socket.remotePort);
      response.writeHead(200, { 'x-ratelimit-remaining': request.url?.split('=')[1] ?? '' }).end();
    });
    const client = clientOf(port);
    const answers = await client.burst(
      Array.from({ length: 100 }, (_, index) => get(`/labels?n=${index}`)),
      { delivery: 'connections' },
    );
    expect(ports.size).toBe(100);
    expect(client.opened).toBe(100);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200));
    expect(answers.map(({ headers }) => headers.remaining[0])).toEqual(answers.map((_, index) => `${index}`));
    const first = Math.min(...answers.map(({ answered }) => answered ?? 0));
    expect(answers.every(({ sent, answered }) => sent < (answered ?? 0))).toBe(true);
    // All were released before the first answer arrived.
    expect(answers.every(({ sent }) => sent <= first)).toBe(true);
  });

  test('no byte leaves before the time of release', async () => {
    const port = await rawServer((socket) => socket.write(OK));
    const clock = systemClock();
    const client = clientOf(port, { clock });
    const at = clock.now() + 100_000;
    const answers = await client.burst([get(), post()], { delivery: 'connections', at });
    expect(answers.every(({ sent, status }) => sent >= Math.floor(at) && status === 200)).toBe(true);
  });

  test('a connection that breaks spoils its own request only', async () => {
    const port = await rawServer((socket, text) => {
      if (text.includes('n=3 ')) socket.resetAndDestroy();
      else socket.write(OK);
    });
    const answers = await clientOf(port).burst(
      Array.from({ length: 5 }, (_, index) => get(`/labels?n=${index}`)),
      { delivery: 'connections' },
    );
    expect(answers.map(({ failure }) => failure)).toEqual([null, null, null, 'reset', null]);
  });

  test('an abort before the release sends nothing', async () => {
    let bytes = 0;
    const port = await rawServer((_, text) => {
      bytes += text.length;
    });
    const clock = systemClock();
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const answers = await clientOf(port, { clock }).burst(
      [get(), get()],
      { delivery: 'connections', at: clock.now() + 1_000_000 },
      controller.signal,
    );
    expect(answers.map(({ failure }) => failure)).toEqual(['aborted', 'aborted']);
    expect(bytes).toBe(0);
  });

  test('nothing listens: every request is answered with the cause', async () => {
    const answers = await clientOf(1).burst([get(), get()], { delivery: 'connections' });
    expect(answers.map(({ failure }) => failure)).toEqual(['refused', 'refused']);
  });
});

describe('pipelined', () => {
  test('all requests are there before the first answer, over one connection, and answers keep their order', async () => {
    let text = '';
    const port = await rawServer((socket, data) => {
      text += data;
      if (text.split(' HTTP/1.1\r\n').length - 1 < 20) return;
      for (let n = 0; n < 20; n += 1)
        socket.write(`HTTP/1.1 200 OK\r\nX-RateLimit-Remaining: ${n}\r\nContent-Length: 0\r\n\r\n`);
    });
    const client = clientOf(port);
    const answers = await client.burst(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? get(`/labels?n=${index}`) : post())),
      { delivery: 'pipelined' },
    );
    expect(answers.map(({ headers }) => headers.remaining[0])).toEqual(answers.map((_, index) => `${index}`));
    expect(client.opened).toBe(1);
  });

  test('what a closing server leaves unanswered is not sent again', async () => {
    let connections = 0;
    let answered = false;
    const port = await rawServer((socket) => {
      connections += 1;
      if (!answered) socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      answered = true;
    });
    const answers = await clientOf(port).burst([get(), get(), get()], { delivery: 'pipelined' });
    expect(answers.map(({ status, failure }) => status ?? failure)).toEqual([200, 'reset', 'reset']);
    expect(connections).toBe(1);
  });

  test('a request after which nothing can follow is refused', async () => {
    const burst = clientOf(1).burst([{ ...get(), method: 'HEAD' }, get()], { delivery: 'pipelined' });
    await expect(burst).rejects.toThrow('cannot be pipelined');
  });
});

test('HTTP/2 over cleartext is not available', async () => {
  await expect(clientOf(1).burst([get()], { delivery: 'multiplexed' })).rejects.toThrow('cleartext');
});

test('a burst has a bound and one target', async () => {
  const client = clientOf(1);
  const many = Array.from({ length: 201 }, () => get());
  await expect(client.burst(many, { delivery: 'connections' })).rejects.toThrow('at most 200');
  const two = [get(), { ...get(), origin: 'http://127.0.0.1:2/' }];
  await expect(client.burst(two, { delivery: 'connections' })).rejects.toThrow('one target');
  expect(await client.burst([], { delivery: 'connections' })).toEqual([]);
});

test('a server that takes no further connection while the first says nothing answers all the same', async () => {
  const answers = await clientOf(await singleWorker()).burst(
    Array.from({ length: 10 }, () => get()),
    { delivery: 'connections' },
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});

test('an answer that comes before the release is none', async () => {
  const port = await listening(
    createServer((socket) => socket.end('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n')),
  );
  const clock = systemClock();
  const [answer] = await clientOf(port, { clock }).burst([get()], {
    delivery: 'connections',
    at: clock.now() + 100_000,
  });
  expect(answer).toMatchObject({ status: null, answered: null });
});
