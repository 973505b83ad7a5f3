import { jsonOf } from '../profile/json.ts';
import type { Arrival } from './arrival.ts';
import type { Behaviour } from './behaviour.ts';
import { credentialsReader, type KeySet } from './credentials.ts';
import { type Admission, type Answer, createGate } from './gate.ts';
import { type Deferred, isDeferred } from './mechanisms/limiter.ts';
import { planOperation } from './operations.ts';
import { createStore } from './store.ts';

/** A request as received, independent of the transport. */
export interface ServiceRequest {
  readonly method: string;
  /** Path and query, including the prefix of the API. */
  readonly url: string;
  /** By lower-case name. The values of a name that was sent twice are joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  readonly connection: number;
  /** The client's address. */
  readonly address: string;
}

/** An answer that only has to be written. */
export interface ServiceAnswer {
  readonly status: number;
  /** The connection is reset instead. */
  readonly breaksOff: boolean;
  /** Names and values, alternating. */
  readonly lines: readonly string[];
  readonly body: string;
}

/** A request that was decided and carried out, but not yet answered. */
export interface Received {
  readonly admission: Admission;
  readonly result: unknown;
}

/**
 * The API of the specification without a transport, for both the HTTP server and runs in virtual time. Times are µs of
 * its clock.
 */
export interface Service {
  /** Path prefix of the API. */
  readonly prefix: string;
  receive(request: ServiceRequest, now: number): Received | Deferred<Received>;
  /** Must be called once for each received request, even if nobody listens. */
  answer(received: Received, now: number): ServiceAnswer;
}

const RATE_HEADERS = { limit: 'X-RateLimit-Limit', remaining: 'X-RateLimit-Remaining', reset: 'X-RateLimit-Reset' };

/** A service with this behaviour and a store in memory. */
export function createService(behaviour: Behaviour, keys: KeySet): Service {
  const gate = createGate(behaviour);
  const store = createStore();
  const readCredentials = credentialsReader(keys);

  function linesOf(answer: Answer, body: string, now: number): string[] {
    const lines =
      body === '' ? [] : ['Content-Type', 'application/json', 'Content-Length', `${Buffer.byteLength(body)}`];
    if (answer.status >= 300 && answer.status < 400) lines.push('Location', '/elsewhere');
    if (behaviour.options.dateHeader) lines.push('Date', new Date(now / 1000).toUTCString());
    if (answer.status === 401) lines.push('WWW-Authenticate', 'Bearer');
    for (const part of ['limit', 'remaining', 'reset'] as const) {
      for (const value of answer.headers[part]) lines.push(RATE_HEADERS[part], value);
    }
    for (const [name, value] of Object.entries(answer.headers.other)) lines.push(name, value);
    return lines;
  }

  return {
    prefix: behaviour.prefix,
    receive({ method, url, headers, body, connection, address }, now) {
      // A path outside the prefix becomes one that is not found.
      const target = url.startsWith(`${behaviour.prefix}/`) ? url.slice(behaviour.prefix.length) : '';
      const presentation = readCredentials(headers);
      const { kind, group, operation, due, perform } = planOperation(store, {
        method,
        target,
        body,
        role: presentation.holder?.role ?? null,
      });
      const arrival: Arrival = {
        presentation,
        kind,
        group,
        method,
        target,
        malformed: /[/+]json\b/i.test(headers['content-type'] ?? '') && jsonOf(body) === undefined,
        operation,
        connection,
        address,
        forwardedFor: headers['x-forwarded-for'] ?? null,
        forwarded: headers.forwarded ?? null,
        userAgent: headers['user-agent'] ?? null,
        realIp: headers['x-real-ip'] ?? null,
        due,
      };
      const admitted = (outcome: Admission | Deferred<Admission>): Received | Deferred<Received> =>
        isDeferred(outcome)
          ? { wait: outcome.wait, resume: (later) => admitted(outcome.resume(later)) }
          : { admission: outcome, result: outcome.status === 200 ? perform() : null };
      return admitted(gate.admit(arrival, now));
    },
    answer({ admission, result }, now) {
      const answer = gate.answer(admission, now);
      const body = answer.status === 204 ? '' : JSON.stringify(result ?? { status: answer.status });
      return { status: answer.status, breaksOff: answer.breaksOff, lines: linesOf(answer, body, now), body };
    },
  };
}
