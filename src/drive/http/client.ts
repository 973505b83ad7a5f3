import type { Socket } from 'node:net';
import type { Clock } from '../../clock/clock.ts';
import type { Profile } from '../../profile/profile.ts';
import { burstOverConnections } from './burst-connections.ts';
import { burstMultiplexed } from './burst-multiplexed.ts';
import { burstPipelined, checkPipelined } from './burst-pipelined.ts';
import { type Connection, createConnection } from './connection.ts';
import { createConnector, type OpenSocket } from './connector.ts';
import { dispatch } from './dispatch.ts';
import { causeOf } from './failure.ts';
import type { Line } from './line.ts';
import {
  type Answer,
  type Endpoint,
  type OutgoingRequest,
  type PreparedRequest,
  prepare,
  RequestError,
  type Sender,
} from './message.ts';
import { abortedError, abortOn } from './release.ts';
import { type Conditions, unsent } from './reply.ts';

/** How the requests of a burst reach the target: each over its own connection, or all over one. */
export type Delivery = 'connections' | 'pipelined' | 'multiplexed';

export interface BurstOptions {
  readonly delivery: Delivery;
  /** When to release, in µs of the clock; at once if absent or past. */
  readonly at?: number;
}

/** Sends requests exactly as told: nothing is retried, redirected or normalised. Bodies are decoded if kept. */
export interface Client {
  /**
   * Checks that the requests can be written and, if the delivery asks for it, can follow one another on one connection.
   *
   * @throws RequestError if they cannot
   */
  check(requests: readonly OutgoingRequest[], delivery?: Delivery): void;
  /**
   * Sends one request. A network fault gives an answer with a `failure`, not an exception.
   *
   * @throws RequestError if the request cannot be written (a header with a line break, a path with spaces)
   */
  send(request: OutgoingRequest, signal?: AbortSignal): Promise<Answer>;
  /**
   * Sends requests as close together as possible: all are written and held back, then released in one turn. Answers are
   * in the order of the requests.
   *
   * @throws RequestError as `send`, and if there are more than 200 requests or more than one target
   * @throws DeliveryError if the target does not offer this delivery (HTTP/2)
   */
  burst(requests: readonly OutgoingRequest[], options: BurstOptions, signal?: AbortSignal): Promise<Answer[]>;
  /** Closes every connection. Requests under way are answered with a failure. */
  close(): Promise<void>;
  /** How many connections were opened or tried. */
  readonly opened: number;
}

export interface ClientOptions {
  readonly baseUrl: string;
  readonly http: Profile['http'];
  readonly clock: Clock;
  readonly sender: Sender;
  /** Replaces API keys in a text with their aliases. */
  redact(text: string): string;
}

/** In scaled time, no time-out is shorter than this many real ms, because the network is not faster. */
const LEAST_SCALED_TIMEOUT = 2000;
const MAX_BURST = 200;
/**
 * Real ms after which a request without an answer may not have reached a server with a single worker, because the
 * worker waits for the next request on a connection that the suite keeps open.
 */
const STARVING_AFTER = 250;

/** @throws RequestError if the base URL, a TLS file or the proxy of the profile cannot be used */
export function openClient({ baseUrl, http, clock, sender, redact }: ClientOptions): Client {
  const realTime = (ms: number): number => Math.max(ms / clock.scale, Math.min(ms, LEAST_SCALED_TIMEOUT));
  const connector = createConnector(http, realTime(http.timeoutMs.connect));
  const conditions: Conditions = { clock, redact, timeout: realTime(http.timeoutMs.response) };
  const idle = new Set<Connection>();
  const open = new Set<Socket>();
  let opened = 0;
  let closing = false;
  /** How many requests have waited for longer than `STARVING_AFTER`. While there are any, no connection is kept. */
  let starving = 0;

  async function openSocket(endpoint: Endpoint, h2: boolean, signal?: AbortSignal): Promise<OpenSocket> {
    const socket = await unlessAborted(connector.open(endpoint, h2), signal);
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    if (closing) socket.destroy();
    return socket;
  }

  const line: Line = {
    conditions,
    number: () => ++opened,
    async connect(number, endpoint, signal, pipelining) {
      return createConnection(number, endpoint, await openSocket(endpoint, false, signal), pipelining);
    },
    openH2: (endpoint, signal) => openSocket(endpoint, true, signal),
  };

  function resolve(request: OutgoingRequest): PreparedRequest {
    const prepared = prepare(request, baseUrl, sender);
    const { endpoint, path, headers } = prepared;
    if (!connector.forwards(endpoint)) return prepared;
    const host = [['host', new URL(endpoint.origin).host]] as const;
    const named = headers.some(([name]) => name.toLowerCase() === 'host');
    return {
      ...prepared,
      path: `${endpoint.origin}${path}`,
      headers: [...(named ? [] : host), ...connector.proxyHeaders, ...headers],
    };
  }

  function takeIdle({ origin }: Endpoint): Connection | null {
    for (const connection of idle) {
      if (connection.endpoint.origin !== origin) continue;
      idle.delete(connection);
      if (!connection.closed) return connection;
    }
    return null;
  }

  function dropIdle(): void {
    for (const connection of idle) connection.close();
    idle.clear();
  }

  async function over(connection: Connection, request: PreparedRequest, keep: boolean, signal?: AbortSignal) {
    const reply = dispatch(connection, request, conditions);
    const stop = abortOn(signal, [reply]);
    if (signal?.aborted) stop.now();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      starving += 1;
      dropIdle();
    }, STARVING_AFTER);
    const answer = await reply.answer;
    clearTimeout(timer);
    if (late) starving -= 1;
    stop.forget();
    if (keep && starving === 0 && !connection.closed && !closing) idle.add(connection);
    else connection.close();
    return { answer, written: reply.written };
  }

  // An invalid base URL is reported at once, not at the first request.
  resolve({ method: 'GET', target: '', headers: [], body: null });

  return {
    check(requests, delivery) {
      const prepared = requests.map(resolve);
      if (delivery === 'pipelined') checkPipelined(prepared);
    },
    async send(request, signal) {
      const prepared = resolve(request);
      const pooled = request.connection !== 'fresh';
      if (!pooled) dropIdle();
      const kept = pooled ? takeIdle(prepared.endpoint) : null;
      if (kept) {
        const { answer, written } = await over(kept, prepared, true, signal);
        // If the other side closed an idle connection before a byte was written, the request can still be sent.
        if (written || signal?.aborted) return answer;
      }
      const number = line.number();
      try {
        const connection = await line.connect(number, prepared.endpoint, signal);
        return (await over(connection, prepared, pooled, signal)).answer;
      } catch (error) {
        return unsent(number, causeOf(error), conditions);
      }
    },
    async burst(requests, { delivery, at = 0 }, signal) {
      if (requests.length > MAX_BURST) throw new RequestError(`a burst takes at most ${MAX_BURST} requests`);
      const prepared = requests.map(resolve);
      if (new Set(prepared.map(({ endpoint }) => endpoint.origin)).size > 1) {
        throw new RequestError('the requests of a burst go to one target');
      }
      dropIdle();
      return await DELIVER[delivery](prepared, line, at, signal);
    },
    async close() {
      closing = true;
      for (const socket of open) socket.destroy();
    },
    get opened() {
      return opened;
    },
  };
}

const DELIVER = {
  connections: burstOverConnections,
  pipelined: burstPipelined,
  multiplexed: burstMultiplexed,
} satisfies Record<Delivery, unknown>;

/** The socket, unless the signal comes first: then the socket is closed as soon as it is open. */
async function unlessAborted(opening: Promise<OpenSocket>, signal?: AbortSignal): Promise<OpenSocket> {
  if (!signal) return opening;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(abortedError());
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([opening, aborted.promise]);
  } catch (error) {
    opening.then((socket) => socket.destroy()).catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
