import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { systemClock } from '../../src/clock/system-clock.ts';
import { type ReferenceOptions, type ReferenceServer, startReference } from '../../src/reference/server.ts';
import { atTheEnd } from './at-the-end.test-support.ts';
import { KEYS } from './command.test-support.ts';

/** A reference server in scaled time, which runs until the tests end. */
export async function reference(
  scale: number,
  options: Partial<ReferenceOptions> & { readonly ownEnd?: boolean } = {},
): Promise<ReferenceServer> {
  const { ownEnd = false, ...rest } = options;
  const server = await startReference({ keys: KEYS, clock: systemClock(scale), ...rest });
  if (!ownEnd) atTheEnd(() => server.close());
  return server;
}

/** Listens on a free loopback port until the tests are over, and gives the base URL. */
export async function listening(server: Server, scheme: 'http' | 'https' = 'http'): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4096, resolve));
  atTheEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
}

export function httpServer(listener: RequestListener): Promise<string> {
  return listening(createHttpServer(listener));
}

export function tcpServer(listener: (socket: Socket) => void): Promise<string> {
  return listening(createTcpServer(listener));
}

const CERTIFICATES = new URL('../../src/drive/http/test-certificates/', import.meta.url);

export function tlsServer(listener: RequestListener): Promise<string> {
  const [key, cert] = ['server-key.pem', 'server.pem'].map((name) => readFileSync(new URL(name, CERTIFICATES)));
  return listening(createTlsServer({ ...(key ? { key } : {}), ...(cert ? { cert } : {}) }, listener), 'https');
}

/** A base URL where nothing listens: the port was free a moment ago. */
export async function nothing(): Promise<string> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/api/v1`;
}
