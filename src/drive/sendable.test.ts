import { createServer } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../clock/system-clock.ts';
import { readProfile } from '../profile/read-profile.ts';
import { renderRequest, valueSource } from '../profile/template.ts';
import { type Client, openClient } from './http/client.ts';
import { requestOf } from './request.ts';

/** Answers 200 to any request with a head and, if a length is given, a body of this length. */
const server = createServer((socket) => {
  let received = '';
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(received.slice(0, end))?.[1] ?? 0);
      if (received.length < end + 4 + length) return;
      received = received.slice(end + 4 + length);
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    }
  });
});
let baseUrl = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/api/v1`;
});
afterAll(() => server.close());

const method = fc.oneof(
  fc.constantFrom(
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'QUERY',
    'TRACE',
    'CONNECT',
    'PURGE',
    'X-Y',
  ),
  fc.stringMatching(/^[A-Z][A-Z-]{0,8}$/),
);
const text = fc.oneof(fc.string({ maxLength: 8 }), fc.string({ unit: 'grapheme', maxLength: 8 }));
const path = fc.oneof(
  fc.webPath({ size: 'small' }).map((each) => `/${each}`),
  fc.stringMatching(/^\/[ -~]{0,12}$/),
  text.map((each) => `/${encodeURIComponent(each)}`),
);
const headers = fc.dictionary(
  fc.oneof(
    fc.constantFrom(
      'Accept',
      'User-Agent',
      'Content-Type',
      'TE',
      'Cookie',
      'Range',
      'Expect',
      'Proxy-Connection',
      'HTTP2-Settings',
      'Trailer',
      'Via',
      'Date',
      'Origin',
      'Content-Encoding',
    ),
    fc.stringMatching(/^[!-~]{1,8}$/),
  ),
  fc.oneof(fc.stringMatching(/^[\t -~]{0,12}$/), text, fc.constant('{{uuid}}')),
  { maxKeys: 3 },
);
const body = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.record({ text, content_type: fc.oneof(fc.constant('text/plain'), fc.stringMatching(/^[ -~]{0,12}$/), text) }),
);
const operation = fc.record(
  {
    method,
    path,
    query: fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean()), { maxKeys: 2 }),
    headers,
    body,
  },
  { requiredKeys: ['method', 'path'] },
);

async function outcomeOf(client: Client, request: Parameters<Client['send']>[0]) {
  client.check([request]);
  const { status, failure, detail } = await client.send(request);
  return { status, failure, detail };
}

test('what validate calls valid can be sent', async () => {
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(operation, headers, async (fields, common) => {
      const operations = [{ id: 'x', group: 'labels', kind: 'write', ...fields }];
      const source = JSON.stringify({ operations, http: { headers: common } });
      const result = readProfile(source, { file: 'p.json', baseUrl });
      if (!('profile' in result)) return;
      const { profile } = result;
      const [found] = profile.operations;
      if (!found) throw new RangeError('an operation is lost');
      const clock = systemClock();
      const client = openClient({
        baseUrl,
        http: profile.http,
        clock,
        sender: { userAgent: 'test' },
        redact: (each) => each,
      });
      const rendered = renderRequest(
        found,
        {},
        valueSource(
          () => 1,
          () => 1,
        ),
      );
      const credential = { name: 'x-api-key', headers: [['X-API-Key', 'key']] as const };
      const spec = { experiment: 'x', step: 'x', operation: found, key: 'key-1' };
      try {
        const outcome = await outcomeOf(client, requestOf(spec, rendered, credential, profile));
        expect(outcome).toEqual({ status: 200, failure: null, detail: null });
        sent += 1;
      } finally {
        await client.close();
      }
    }),
    { numRuns: Number(process.env.SENDABLE_RUNS ?? 500) },
  );
  // One in eight drawn requests is valid, about 62 in all. Fewer than 30 cannot be chance.
  expect(sent).toBeGreaterThan(30);
});
