import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readSource } from './source.ts';

const folder = mkdtempSync(join(tmpdir(), 'openapi-source-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a file', () => {
  test('is read as text', async () => {
    const file = join(folder, 'a.yaml');
    writeFileSync(file, 'openapi: 3.0.0\n');
    expect(await readSource(file)).toEqual({ text: 'openapi: 3.0.0\n', place: file, isUrl: false });
  });

  test.each([
    ['/no/such/file.yaml', 'there is no such file'],
    ['/dev/zero', 'no plain file'],
    [folder, 'no plain file'],
    [sized('large.yaml', Buffer.alloc(4_000_001)), 'larger than 4 MB'],
    [sized('latin.yaml', Buffer.from([0x6f, 0xe9, 0x0a])), 'not UTF-8'],
  ])('%s is refused', async (file, message) => {
    await expect(readSource(file)).rejects.toThrow(message);
  });
});

describe('a URL', () => {
  test('is read as text', () =>
    served(
      (_, response) => response.end('openapi: 3.0.0'),
      async (url) => expect((await readSource(url)).text).toBe('openapi: 3.0.0'),
    ));

  test.each<[string, RequestListener, string]>([
    ['a redirect', (_, response) => response.writeHead(302, { location: '/elsewhere' }).end(), 'redirect'],
    ['an error', (_, response) => response.writeHead(404).end(), 'answers 404'],
    ['a reset', (request) => request.socket.destroy(), 'cannot be downloaded'],
    ['an endless body', (_, response) => void endless(response), 'larger than 4 MB'],
  ])('with %s is refused', (_, listener, message) =>
    served(listener, async (url) => {
      await expect(readSource(url)).rejects.toThrow(message);
    }),
  );
});

function sized(name: string, bytes: Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

function endless(response: Parameters<RequestListener>[1]): void {
  const more = (): void => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  };
  response.on('drain', more);
  more();
}

async function served(listener: RequestListener, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.yaml`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
