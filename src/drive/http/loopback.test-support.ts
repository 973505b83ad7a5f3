import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../clock/system-clock.ts';
import type { Profile } from '../../profile/profile.ts';
import { type Client, type ClientOptions, openClient } from './client.ts';
import type { OutgoingRequest } from './message.ts';

export const KEY = 'secret-key-0123456789';

export const HTTP: Profile['http'] = {
  headers: {},
  // Much more than even a busy machine needs. A test that waits for a time-out sets its own.
  timeoutMs: { connect: 30_000, response: 30_000 },
  tls: { caFile: null, certFile: null, keyFile: null, insecure: false },
  proxy: null,
};

/** Listens on a free loopback port until the end of the test. */
export async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export function httpServer(listener: RequestListener): Promise<number> {
  return listening(createHttpServer(listener));
}

/** A server that answers the first bytes of each connection with whatever `answer` writes. */
export function rawServer(answer: (socket: Socket, request: string) => void): Promise<number> {
  return listening(createTcpServer((socket) => socket.on('data', (data) => answer(socket, data.toString('latin1')))));
}

export function clientOf(
  port: number,
  { http, ...options }: Partial<Omit<ClientOptions, 'http'>> & { http?: Partial<Profile['http']> } = {},
): Client {
  const client = openClient({
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    clock: systemClock(),
    sender: { userAgent: 'size-chart-conformance/test' },
    redact: (text) => text.replaceAll(KEY, 'key-1'),
    ...options,
    http: { ...HTTP, ...http },
  });
  onTestFinished(() => client.close());
  return client;
}

export function get(target = '/labels', headers: OutgoingRequest['headers'] = [['X-API-Key', KEY]]): OutgoingRequest {
  return { method: 'GET', target, headers, body: null };
}

export function post(target = '/labels', text = '{"name":"a"}'): OutgoingRequest {
  return { method: 'POST', target, headers: [['X-API-Key', KEY]], body: { contentType: 'application/json', text } };
}

/**
 * An HTTP/1.1 server with one worker. It keeps a connection until the client closes it, and only then accepts the next.
 */
export function singleWorker(): Promise<number> {
  const waiting: (() => void)[] = [];
  let busy = false;
  return listening(
    createTcpServer({ pauseOnConnect: true }, (socket) => {
      const serve = (): void => {
        busy = true;
        socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
        socket.on('close', () => {
          busy = false;
          waiting.shift()?.();
        });
        socket.resume();
      };
      if (busy) waiting.push(serve);
      else serve();
    }),
  );
}
