import type { VirtualClock } from '../../clock/virtual-clock.ts';
import { DeliveryError } from '../../drive/http/burst-multiplexed.ts';
import type { BurstOptions, Client } from '../../drive/http/client.ts';
import { allFields, captureHeaders } from '../../drive/http/headers.ts';
import { type Answer, type OutgoingRequest, prepare } from '../../drive/http/message.ts';
import { between, type Random } from '../../random/random.ts';
import { type Deferred, isDeferred } from '../../reference/mechanisms/limiter.ts';
import type { Network } from '../../reference/network.ts';
import type { Received, Service, ServiceAnswer, ServiceRequest } from '../../reference/service.ts';
import { type CapturedHeaders, type Failure, NO_HEADERS } from '../../trace/exchange.ts';

/**
 * When a service decided on a request and read the values of its headers, in µs of the run's clock. No client can see
 * this.
 */
export interface Moments {
  readonly decided: number;
  readonly written: number;
}

/** A client for a service in virtual time, over a network that delays and loses messages. */
export interface VirtualClient extends Client {
  /** The moments of the answer with these header values. */
  moments(headers: CapturedHeaders): Moments | undefined;
}

export interface VirtualClientOptions {
  readonly clock: VirtualClock;
  readonly service: Service;
  /** The service's clock, in µs since the Unix epoch, at a time of the run's clock. */
  readonly serverTime: (time: number) => number;
  readonly network: Network;
  readonly random: Random;
  readonly baseUrl: string;
  readonly userAgent: string;
  /** µs after which the client gives up waiting for an answer. */
  readonly timeout: number;
  readonly redact: (text: string) => string;
}

/** µs between the requests of a burst, which leave in one turn of the event loop: measured over loopback. */
const BURST_SPACING = 15;

/** µs that a client needs from an answer to the next request: measured over loopback, at least some tens. */
const TURNAROUND = 50;

export function virtualClient(options: VirtualClientOptions): VirtualClient {
  const { clock, service, serverTime, network, random, redact } = options;
  const moments = new WeakMap<CapturedHeaders, Moments>();
  /** Low values are much more likely than high ones, as on real networks. */
  const latency = (range: Network['uplink']): number => Math.round(between(() => random() ** 3, range));
  let idle: number[] = [];
  let opened = 0;

  /** Sends at `at`, which is now or later; resolves when the answer has arrived or the client gives up. */
  function exchange(request: OutgoingRequest, connection: number, at: number): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const sent = Math.floor(at);
    let concluded = false;
    const conclude = (time: number, answer: Partial<Answer>): void => {
      if (concluded) return;
      concluded = true;
      clock.sleepUntil(Math.ceil(time) + TURNAROUND).then(() => {
        const nothing = { answered: null, status: null, failure: null, detail: null, headers: NO_HEADERS, body: null };
        resolve({ ...nothing, fields: null, sent, connection, ...answer });
      });
    };
    const fail = (time: number, failure: Failure): void => conclude(time, { failure });
    const lost = network.lost > 0 && random() < network.lost;
    const reset = lost && random() < 0.5;
    const swallowed = lost && random() < 0.5;
    const arrives = at + latency(network.uplink);
    if (lost) fail(reset ? arrives + latency(network.downlink) : at + options.timeout, reset ? 'reset' : 'timeout');
    if (swallowed) return promise;

    const written = (received: Received, decided: number): void => {
      const time = decided + latency(network.work);
      clock.at(time, () => {
        const answer = service.answer(received, serverTime(time));
        const arrival = time + latency(network.downlink);
        if (answer.breaksOff) return fail(arrival, 'reset');
        if (arrival - at > options.timeout) return fail(at + options.timeout, 'timeout');
        const headers = captureHeaders([...answer.lines], redact);
        moments.set(headers, { decided, written: time });
        conclude(arrival, { ...read(answer, request), answered: Math.ceil(arrival), headers });
      });
    };
    const decide = (outcome: Received | Deferred<Received>, time: number): void => {
      if (!isDeferred(outcome)) {
        written(outcome, time);
        return;
      }
      const resumes = time + outcome.wait;
      clock.at(resumes, () => decide(outcome.resume(serverTime(resumes)), resumes));
    };
    clock.at(arrives, () => decide(service.receive(wireOf(request, connection), serverTime(arrives)), arrives));
    return promise;
  }

  function wireOf(request: OutgoingRequest, connection: number): ServiceRequest {
    const { method, path, headers, body } = prepare(request, options.baseUrl, options);
    const joined: Record<string, string> = {};
    for (const [name, value] of headers) {
      const known = joined[name.toLowerCase()];
      joined[name.toLowerCase()] = known === undefined ? value.trim() : `${known}, ${value.trim()}`;
    }
    return { method, url: path, headers: joined, body: body ?? '', connection, address: '127.0.0.1' };
  }

  /** The time at which a new connection is open: one round trip from now. */
  const connected = (): number => clock.now() + latency(network.uplink) + latency(network.downlink);

  async function atOnce(
    requests: readonly OutgoingRequest[],
    { delivery, at = 0 }: BurstOptions,
    signal?: AbortSignal,
  ) {
    if (delivery === 'multiplexed') throw new DeliveryError('the target does not offer HTTP/2');
    idle = [];
    const shared = delivery === 'pipelined' ? ++opened : null;
    const connections = requests.map(() => shared ?? ++opened);
    await clock.sleepUntil(Math.max(at, ...requests.map(connected)), signal);
    const start = clock.now();
    return Promise.all(
      requests.map((request, index) => exchange(request, connections[index] ?? 0, start + index * BURST_SPACING)),
    );
  }

  return {
    check() {},
    async send(request, signal) {
      signal?.throwIfAborted();
      const fresh = request.connection === 'fresh';
      if (fresh) idle = [];
      const kept = fresh ? undefined : idle.pop();
      const connection = kept ?? ++opened;
      if (kept === undefined) await clock.sleepUntil(connected(), signal);
      const answer = await exchange(request, connection, clock.now());
      if (!fresh && answer.failure === null) idle.push(connection);
      return answer;
    },
    burst: atOnce,
    async close() {},
    get opened() {
      return opened;
    },
    moments: (headers) => moments.get(headers),
  };
}

function read({ status, lines, body }: ServiceAnswer, { keepBody = false }: OutgoingRequest): Partial<Answer> {
  return { status, body: keepBody ? body : null, fields: keepBody ? allFields([...lines]) : null };
}
