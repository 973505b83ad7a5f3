import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import { SECOND } from '../deployment/deployment.ts';
import { between, seededRandom } from '../random/random.ts';
import { conductOf } from './conduct.ts';
import type { KeySet } from './credentials.ts';
import { isDeferred } from './mechanisms/limiter.ts';
import { createService, type Received, type ServiceRequest } from './service.ts';

export interface ReferenceOptions {
  readonly keys: KeySet;
  /** Name of an admissible variant (`variants.ts`). If absent, the variant that shows the defect, or the first. */
  readonly variant?: string | undefined;
  /** Name of a seeded defect (`defects.ts`). If absent, the server conforms. */
  readonly defect?: string | undefined;
  /** Latency added to each answer, in ms of the server's clock. On average, half of it passes before the decision. */
  readonly jitter?: readonly [least: number, most: number] | undefined;
  /**
   * Fraction of requests, from 0 to 1, whose connection is reset instead of an answer. Half of these requests are
   * counted.
   */
  readonly resets?: number | undefined;
  /** Server clock minus true time in seconds, in addition to the variant's own. */
  readonly skew?: number | undefined;
  /** Seed of the random latency and resets. */
  readonly seed?: number | undefined;
  /** The clock of the server, used also for its Date header and reset markers. Default: real time. */
  readonly clock?: Clock | undefined;
  readonly host?: string | undefined;
  /** 0, the default, takes any free port. */
  readonly port?: number | undefined;
  /** Serves HTTPS with this certificate (PEM). */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
}

export interface ReferenceServer {
  readonly baseUrl: string;
  readonly port: number;
  /** Closes the server and all its connections. */
  close(): Promise<void>;
}

/** Longer bodies (in bytes) are not read: the request is answered as an invalid one. */
const LARGEST_BODY = 65_536;

/**
 * Starts a server of the Size Chart Service API v1 with a store in memory, on loopback unless another host is named.
 *
 * @throws RangeError on an unknown variant or defect; the system's error if the port cannot be used
 */
export async function startReference(options: ReferenceOptions): Promise<ReferenceServer> {
  const { clock = systemClock(), host = '127.0.0.1', port = 0, tls, resets = 0, jitter = [0, 0] } = options;
  const conduct = conductOf(options.variant ?? null, options.defect ?? null);
  const skew = (conduct({ started: 0, run: 0 }).options.skew + (options.skew ?? 0)) * SECOND;
  const time = (): number => clock.epoch + clock.now() + skew;
  const service = createService(conduct({ started: time(), run: time() }), options.keys);
  const random = seededRandom(options.seed ?? 1);
  const connections = new WeakMap<Socket, number>();
  let connected = 0;

  const pause = (microseconds: number): Promise<void> => clock.sleepUntil(clock.now() + microseconds);

  async function receive(request: ServiceRequest): Promise<Received> {
    let outcome = service.receive(request, time());
    while (isDeferred(outcome)) {
      await pause(outcome.wait);
      outcome = outcome.resume(time());
    }
    return outcome;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const latency = between(random, jitter) * 1000;
    const before = latency * random();
    const reset = random() < resets ? (random() < 0.5 ? 'before' : 'after') : null;
    if (before > 0) await pause(before);
    if (reset === 'before') return void request.socket.destroy();
    const received = await receive({
      method: request.method ?? 'GET',
      url: request.url ?? '/',
      // Node joins the values of a name that was sent twice, except of Set-Cookie, which no request has.
      headers: request.headers as ServiceRequest['headers'],
      body,
      connection: connections.get(request.socket) ?? 0,
      address: request.socket.remoteAddress ?? '',
    });
    if (latency > before) await pause(latency - before);
    const answer = service.answer(received, time());
    if (reset === 'after' || answer.breaksOff) return void request.socket.destroy();
    response.sendDate = false;
    response.writeHead(answer.status, [...answer.lines]);
    response.end(answer.body);
  }

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    serve(request, response).catch(() => request.socket.destroy());
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.keepAliveTimeout = 120_000;
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    socket.setNoDelay(true);
    connections.set(socket, ++connected);
  });
  server.listen(port, host, 4096);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const named = host.includes(':') ? `[${host}]` : host;
  return {
    baseUrl: `${tls ? 'https' : 'http'}://${named}:${address.port}${service.prefix}`,
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return '';
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= LARGEST_BODY) chunks.push(chunk);
  }
  return size <= LARGEST_BODY ? Buffer.concat(chunks).toString('utf8') : '';
}
