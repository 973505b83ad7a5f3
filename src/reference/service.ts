import type { Arrival } from './arrival.ts';
import type { Behaviour } from './behaviour.ts';
import { credentialsReader, type KeySet } from './credentials.ts';
import { type Admission, type Answer, createGate } from './gate.ts';
import { type Deferred, isDeferred } from './mechanisms/limiter.ts';
import { planOperation } from './operations.ts';
import { createStore } from './store.ts';

/** A request as it came, whatever brought it. */
export interface ServiceRequest {
  readonly method: string;
  /** Path and query, the prefix of the API included. */
  readonly url: string;
  /** By lower-case name; a name that was sent twice is joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  readonly connection: number;
  /** The client's address. */
  readonly address: string;
}

/** An answer, ready to be written. */
export interface ServiceAnswer {
  readonly status: number;
  /** The connection is reset in its place. */
  readonly breaksOff: boolean;
  /** Names and values in turn. */
  readonly lines: readonly string[];
  readonly body: string;
}

/** A request that has been decided on: what it asked for is done, and the answer is still to be made. */
export interface Received {
  readonly admission: Admission;
  readonly result: unknown;
}

/** The API of the specification without a transport: the HTTP server and runs in virtual time stand before the same one. Times are µs of its clock. */
export interface Service {
  /** Path prefix of the API. */
  readonly prefix: string;
  receive(request: ServiceRequest, now: number): Received | Deferred<Received>;
  /** To be called once for each request that was received, whoever still listens. */
  answer(received: Received, now: number): ServiceAnswer;
}

const RATE_HEADERS = { limit: 'X-RateLimit-Limit', remaining: 'X-RateLimit-Remaining', reset: 'X-RateLimit-Reset' };

/** A service of this conduct, with an in-memory store. */
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
      const target = targetBelow(behaviour.prefix, url);
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
        malformed: isMalformed(headers['content-type'], body),
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

function isMalformed(contentType: string | undefined, body: string): boolean {
  if (!/[/+]json\b/i.test(contentType ?? '')) return false;
  try {
    JSON.parse(body);
    return false;
  } catch {
    return true;
  }
}

/** The path and query below the prefix; what lies outside of it has no path here, and so is not found. */
function targetBelow(prefix: string, url: string): string {
  return url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : '';
}
