import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { reference } from '../end-to-end/server.test-support.ts';
import { front, headOf, type Passage } from './front.test-support.ts';
import { expectInnocent, rehearse, SCALE } from './rehearsal.test-support.ts';

/** Ms of the scaled clock. */
const wait = (ms: number): Promise<void> => delay(ms / SCALE);

/** A conforming deployment behind a proxy that damages some of its answers. */
async function behind(handle: (passage: Passage) => void | Promise<void>) {
  const { baseUrl } = await reference(SCALE);
  return rehearse(await front(baseUrl, { handle }));
}

describe.concurrent('a bad network before a deployment that conforms fails nothing', () => {
  test.each([0.01, 0.05, 0.2])('connections reset: %d of all requests', async (resets) => {
    const { baseUrl } = await reference(SCALE, { resets, seed: 3 });
    const found = await rehearse(baseUrl);
    expect(found.failed).toEqual([]);
    expect(found.judgement.conditions.failures.reset).toBeGreaterThan(0);
    if (resets < 0.2) expectInnocent(found);
    else expect(found.judgement.exitCode).toBe(found.judgement.overall === 'conforms' ? 0 : 3);
  });

  test('latency of 0–500 ms, with spikes of 5 s', async () => {
    let count = 0;
    const { baseUrl } = await reference(SCALE, { jitter: [0, 500], seed: 5 });
    const found = await rehearse(
      await front(baseUrl, {
        handle: async ({ pass }) => {
          count += 1;
          if (count % 150 === 0) await wait(5000);
          pass();
        },
      }),
    );
    expectInnocent(found);
  });

  test('a stall of 10 s in mid-run', async () => {
    let stalled: Promise<void> | null = null;
    const found = await behind(async ({ number, pass }) => {
      if (number === 500) stalled = wait(10_000);
      await stalled;
      pass();
    });
    expect(stalled).not.toBeNull();
    expectInnocent(found);
  });

  test('2 s for each answer', async () => {
    const found = await behind(async ({ pass }) => {
      await wait(2000);
      pass();
    });
    expect(found.failed).toEqual([]);
    expectInnocent(found);
  });

  test('heads that come byte by byte, too slowly to end', async () => {
    const found = await behind(async ({ number, request, pass, answer, raw }) => {
      if (number % 120 !== 0) return pass();
      for (const byte of headOf(answer, 'Content-Length: 0')) {
        if (request.socket.destroyed) return;
        raw(byte);
        await delay(50);
      }
    });
    expect(found.judgement.conditions.failures.timeout).toBeGreaterThan(0);
    expectInnocent(found);
  });
});

describe.concurrent('answers that break off or never end', () => {
  test('half a head', async () => {
    const found = await behind(({ number, request, pass, answer }) => {
      if (number % 40 !== 0) return pass();
      const head = headOf(answer, 'Content-Length: 0');
      request.socket.end(head.slice(0, head.length / 2));
    });
    expect(Object.keys(found.judgement.conditions.failures).length).toBeGreaterThan(0);
    expectInnocent(found);
  });

  test('half a body: status and headers were said, and count', async () => {
    let made = 0;
    const found = await behind(({ number, request, pass, answer }) => {
      // The answer for every second created label is lost, and with it the label's name, so the suite must create
      // another.
      const lost =
        request.method === 'POST' && request.url?.endsWith('/labels') && answer.status === 200 && made++ % 2 === 0;
      if (number % 40 !== 0 && !lost) return pass();
      request.socket.end(`${headOf(answer, 'Content-Length: 1000')}{"half":`);
    });
    expectInnocent(found);
  });

  test('headers without end', async () => {
    const found = await behind(({ number, request, pass, raw }) => {
      if (number % 40 !== 0) return pass();
      raw('HTTP/1.1 200 OK\r\n');
      const more = (): void => {
        if (!request.socket.destroyed && request.socket.write(`X-More: ${'x'.repeat(4000)}\r\n`)) setImmediate(more);
        else request.socket.once('drain', more);
      };
      more();
    });
    expect(found.judgement.conditions.failures['too-large']).toBeGreaterThan(0);
    expectInnocent(found);
  });

  test('a body of 1 GB: no more than a bound of it is read', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let written = 0;
    let refused = 0;
    const found = await behind(({ number, request, pass, answer }) => {
      if (number % 100 !== 0) return pass();
      const { socket } = request;
      socket.write(headOf(answer, `Content-Length: ${2 ** 30}`));
      const more = (): void => {
        while (!socket.destroyed && socket.write(chunk)) written += chunk.length;
        if (!socket.destroyed) socket.once('drain', more);
      };
      socket.once('close', () => {
        refused += 1;
      });
      more();
    });
    expect(refused).toBeGreaterThan(5);
    expect(written / refused).toBeLessThan(64 * 2 ** 20);
    expectInnocent(found);
  });

  test('chunks that are none', async () => {
    const found = await behind(({ number, request, pass, answer }) => {
      if (number % 40 !== 0) return pass();
      request.socket.end(`${headOf(answer, 'Transfer-Encoding: chunked')}ZZ\r\nnot a chunk\r\n\0\0\r\n`);
    });
    expect(found.failed).toEqual([]);
    expectInnocent(found);
  });
});
