import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import { between, seededRandom } from '../random/random.ts';
import type { Arrival } from './arrival.ts';
import { conductOf } from './conduct.ts';
import { credentialsReader, type KeySet } from './credentials.ts';
import { type Admission, type Answer, createGate } from './gate.ts';
import { isDeferred, SECOND } from './mechanisms/limiter.ts';
import { type PlannedOperation, planOperation } from './operations.ts';
import { createStore } from './store.ts';

export interface ReferenceOptions {
  readonly keys: KeySet;
  /** Name of an admissible variant (`variants.ts`); without one, the one that shows the defect, or the first. */
  readonly variant?: string | undefined;
  /** Name of a seeded defect (`defects.ts`); without one, the server conforms. */
  readonly defect?: string | undefined;
  /** Latency that is added to each answer, in ms of the server's clock; half of it before the decision, on average. */
  readonly jitter?: readonly [least: number, most: number] | undefined;
  /** Fraction of requests whose connection is reset instead of an answer, from 0 to 1. Half of them are counted. */
  readonly resets?: number | undefined;
  /** Server clock minus true time in seconds, on top of the variant's own. */
  readonly skew?: number | undefined;
  /** Seed of jitter and resets. */
  readonly seed?: number | undefined;
  /** The server lives in this clock's time, its Date header and reset markers included. Default: real time. */
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
  /** Ends the server and all its connections. */
  close(): Promise<void>;
}

/** Bodies beyond this many bytes are not read: the request is answered as an invalid one. */
const LARGEST_BODY = 65_536;

const RATE_HEADERS = { limit: 'X-RateLimit-Limit', remaining: 'X-RateLimit-Remaining', reset: 'X-RateLimit-Reset' };

/**
 * Starts a server of the Size Chart Service API v1 with an in-memory store, on loopback unless another host is named.
 *
 * @throws RangeError on an unknown variant or defect; the system's error where the port cannot be taken
 */
export async function startReference(options: ReferenceOptions): Promise<ReferenceServer> {
  const { clock = systemClock(), host = '127.0.0.1', port = 0, tls, resets = 0, jitter = [0, 0] } = options;
  const conduct = conductOf(options.variant ?? null, options.defect ?? null);
  const skew = (conduct(0).options.skew + (options.skew ?? 0)) * SECOND;
  const time = (): number => clock.epoch + clock.now() + skew;
  const behaviour = conduct(time());
  const gate = createGate(behaviour);
  const store = createStore();
  const readCredentials = credentialsReader(options.keys);
  const random = seededRandom(options.seed ?? 1);
  const connections = new WeakMap<Socket, number>();
  let connected = 0;

  const pause = (microseconds: number): Promise<void> => clock.sleepUntil(clock.now() + microseconds);

  async function admit(arrival: Arrival): Promise<Admission> {
    let outcome = gate.admit(arrival, time());
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

    const method = request.method ?? 'GET';
    const target = targetBelow(behaviour.prefix, request.url ?? '/');
    const presentation = readCredentials(request.headers);
    const role = presentation.holder?.role ?? null;
    const operation = planOperation(store, { method, target, body, role });
    const connection = connections.get(request.socket) ?? 0;
    const admission = await admit(arrivalOf(request, { presentation, operation, method, target, connection }));
    const result = admission.status === 200 ? operation.perform() : null;
    if (latency > before) await pause(latency - before);
    const answer = gate.answer(admission, time());
    if (reset === 'after') return void request.socket.destroy();
    write(response, answer, result);
  }

  function write(response: ServerResponse, answer: Answer, result: unknown): void {
    const text = answer.status === 204 ? '' : JSON.stringify(result ?? { status: answer.status });
    const lines =
      text === '' ? [] : ['Content-Type', 'application/json', 'Content-Length', `${Buffer.byteLength(text)}`];
    if (answer.status >= 300 && answer.status < 400) lines.push('Location', '/elsewhere');
    if (behaviour.options.dateHeader) lines.push('Date', new Date(time() / 1000).toUTCString());
    if (answer.status === 401) lines.push('WWW-Authenticate', 'Bearer');
    for (const part of ['limit', 'remaining', 'reset'] as const) {
      for (const value of answer.headers[part]) lines.push(RATE_HEADERS[part], value);
    }
    for (const [name, value] of Object.entries(answer.headers.other)) lines.push(name, value);
    response.sendDate = false;
    response.writeHead(answer.status, lines);
    response.end(text);
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
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, 4096, resolve);
  });
  const address = server.address() as AddressInfo;
  const named = host.includes(':') ? `[${host}]` : host;
  return {
    baseUrl: `${tls ? 'https' : 'http'}://${named}:${address.port}${behaviour.prefix}`,
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The path and query below the prefix; what lies outside of it has no path here, and so is not found. */
function targetBelow(prefix: string, url: string): string {
  return url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : '';
}

type Known = Pick<Arrival, 'presentation' | 'method' | 'target' | 'connection'> & {
  readonly operation: PlannedOperation;
};

function arrivalOf(request: IncomingMessage, { operation, ...known }: Known): Arrival {
  const { kind, group, route, due } = operation;
  return {
    ...known,
    kind,
    group,
    route,
    due,
    address: request.socket.remoteAddress ?? '',
    forwardedFor: headerText(request, 'x-forwarded-for'),
    forwarded: headerText(request, 'forwarded'),
    userAgent: headerText(request, 'user-agent'),
    realIp: headerText(request, 'x-real-ip'),
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

function headerText(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
}
