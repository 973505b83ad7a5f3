import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeBody } from './content-coding.ts';
import { clientOf, get, httpServer, KEY } from './loopback.test-support.ts';

const TEXT = '{"id":"ä-7"}';
const MOST = 1024;
const plain = (text: string) => text;
const coded = (coding: string, body: Buffer) => decodeBody(body, { 'content-encoding': [coding] }, MOST, plain);

describe('a server that encodes whatever it sends', () => {
  test.each([
    ['in chunks', false],
    ['with a length', true],
  ])('%s is understood', async (_, hasLength) => {
    const port = await httpServer((_request, response) => {
      const body = gzipSync(TEXT);
      response.writeHead(200, { 'content-encoding': 'gzip', ...(hasLength && { 'content-length': body.length }) });
      response.write(body.subarray(0, 9));
      response.end(body.subarray(9));
    });
    const client = clientOf(port);
    const kept = { ...get(), keepBody: true };
    expect(await client.send(kept)).toMatchObject({ status: 200, body: TEXT, detail: null });
    const burst = await client.burst([kept, kept], { delivery: 'connections' });
    expect(burst.map(({ body }) => body)).toEqual([TEXT, TEXT]);
  });

  test.each([
    ['GET', 204],
    ['GET', 304],
    ['GET', 200],
    ['HEAD', 200],
  ])('%s answered by %i has an empty body', async (method, status) => {
    const port = await httpServer((_, response) => {
      response.writeHead(status, { 'content-encoding': 'gzip' }).end();
    });
    const answer = await clientOf(port).send({ ...get(), method, keepBody: true });
    expect(answer).toMatchObject({ status, body: '', detail: null });
    expect(answer).not.toHaveProperty('undecoded');
  });

  test('no key is quoted as the name of a coding', async () => {
    const port = await httpServer((_, response) => response.writeHead(200, { 'content-encoding': KEY }).end(TEXT));
    const { fields: _fields, ...answer } = await clientOf(port).send({ ...get(), keepBody: true });
    const why = 'the suite does not know its Content-Encoding key-1';
    expect(answer).toMatchObject({ status: 200, body: TEXT, undecoded: why });
    expect(JSON.stringify(answer).toLowerCase()).not.toContain(KEY.slice(0, 8));
  });
});

test.each([
  ['gzip', gzipSync(TEXT)],
  ['X-GZip', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['deflate', deflateRawSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['zstd', zstdCompressSync(TEXT)],
  ['identity', Buffer.from(TEXT)],
  ['', Buffer.from(TEXT)],
  ['deflate , gzip', gzipSync(deflateSync(TEXT))],
])('%s is decoded', (coding, body) => expect(coded(coding, body)).toEqual({ body: TEXT }));

test('codings that are named in several fields are undone from the last to the first', () => {
  const fields = { 'content-encoding': ['br', 'gzip'] };
  expect(decodeBody(gzipSync(brotliCompressSync(TEXT)), fields, MOST, plain)).toEqual({ body: TEXT });
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
])('a body in %s may have as many bytes as the bound says, and no more', (coding, encode) => {
  expect(coded(coding, encode('x'.repeat(MOST))).body).toHaveLength(MOST);
  const bomb = encode(Buffer.alloc(16 * 1024 * 1024));
  const undecoded = `decoded from its Content-Encoding ${coding}, it would be too long`;
  expect(coded(coding, bomb)).toEqual({ body: bomb.toString(), undecoded });
});

test.each([
  ['gzip', Buffer.from(TEXT)],
  ['gzip', gzipSync(TEXT).subarray(0, -9)],
  ['deflate', Buffer.from(TEXT)],
  ['br', brotliCompressSync(TEXT).subarray(0, -3)],
  ['zstd', zstdCompressSync(TEXT).subarray(0, -3)],
])('a body that is not in %s, or breaks off, is left as it came', (coding, body) => {
  const undecoded = `it is not in its Content-Encoding ${coding}, or breaks off`;
  expect(coded(coding, body)).toEqual({ body: body.toString(), undecoded });
});

test('a frame of zstd may not ask for more memory than HTTP allows', () => {
  const frame = (windowLog: number) =>
    zstdCompressSync(Buffer.alloc(2 ** 25), { params: { [constants.ZSTD_c_windowLog]: windowLog } });
  const decoded = (bytes: Buffer) => decodeBody(bytes, { 'content-encoding': ['zstd'] }, 2 ** 26, plain);
  expect(decoded(frame(23))).not.toHaveProperty('undecoded');
  expect(decoded(frame(25)).undecoded).toMatch(/^it is not in/);
});

test.each([
  ['utf-8', 'the suite does not know its Content-Encoding utf-8'],
  ['gzip, compress', 'the suite does not know its Content-Encoding compress'],
  ['a strange name', 'the suite does not know its Content-Encoding'],
  [Array.from({ length: 9 }, () => 'gzip').join(), 'its Content-Encoding has more than 3 codings'],
])('a body in %s is left as it came', (coding, undecoded) =>
  expect(coded(coding, Buffer.from(TEXT))).toEqual({ body: TEXT, undecoded }),
);
