import type { Clock } from '../clock/clock.ts';
import type { Operation, Probe, Profile } from '../profile/profile.ts';
import { type Exchange, NO_HEADERS, type OddParts } from '../trace/exchange.ts';
import type { Intent, NoteLine } from '../trace/trace.ts';
import type { Credential } from './credentials.ts';
import { DeliveryError } from './http/burst-multiplexed.ts';
import type { BurstOptions, Client, Delivery } from './http/client.ts';
import { type Answer, type OutgoingRequest, RequestError } from './http/message.ts';
import { keepDetail } from './lost-answers.ts';
import { NotSent } from './not-sent.ts';
import { paceOf } from './pace.ts';
import type { Captured } from './preparation.ts';
import { requestOf } from './request.ts';
import type { RequestSpec } from './request-spec.ts';

/** Fills in the templates of an operation or probe. */
export interface Renderer {
  render(
    template: Operation | Probe,
    captured: Readonly<Record<string, string>>,
  ): Pick<OutgoingRequest, 'target' | 'headers' | 'body'>;
  /** Captures values from the answer. Throws a `PreparationFailed` if the answer does not contain them. */
  capture(operation: Operation, answer: Answer): Record<string, string>;
}

/** The part of a trace recorder that a session needs. */
export interface Recording {
  intend(intents: readonly Intent[]): void;
  record(exchange: Exchange): void;
  note(code: NoteLine['code'], experiment: string | null, text: string): void;
}

export interface SenderOptions {
  readonly profile: Profile;
  readonly client: Client;
  readonly clock: Clock;
  readonly recording: Recording;
  readonly renderer: Renderer;
  readonly redact: (text: string) => string;
  /** Gets the body of each answer, without keys. If absent, bodies are kept only for captures. */
  readonly onBody?: ((seq: number, body: string) => void) | undefined;
  /** Ends the run. */
  readonly controller: AbortController;
}

/** The run asked for more requests than `pacing.max_requests` allows, so it ends early, in order. */
export class RequestsSpent extends Error {
  override name = 'RequestsSpent';
}

/** At most this much of a body is passed on. Less is shown, and longer texts take long to search for keys. */
const MOST_TOLD = 2_000;

/** One request and its answer: what the trace records, and what else the answer contained. */
export interface Sent {
  readonly exchange: Exchange;
  readonly answer: Answer;
}

/**
 * Sends prepared requests: fills in the template, waits for its turn (`pacing.max_rate`; bursts do not wait), writes
 * the intent, sends, and records the exchange.
 */
export interface Sender {
  /** @throws NotSent if the request cannot be written */
  send(spec: RequestSpec, captured: Captured, keepBody?: boolean): Promise<Sent>;
  /**
   * Sends all at once. `captured` has the values for each spec, in the same order. Throws a `NotSent` if one cannot be
   * sent in this way.
   */
  sendAtOnce(
    specs: readonly RequestSpec[],
    captured: readonly Captured[],
    options: Partial<BurstOptions>,
  ): Promise<readonly Sent[]>;
}

/** @param learn gets each exchange once it is recorded */
export function createSender(
  { profile, client, clock, recording, renderer, redact, onBody, controller }: SenderOptions,
  credentialOf: (spec: RequestSpec) => Credential,
  learn: (exchange: Exchange, spec: RequestSpec, captured: Captured) => void,
): Sender {
  const { signal } = controller;
  const pace = paceOf(profile.pacing.maxRate, clock, signal);
  let seq = 0;

  const outgoing = (spec: RequestSpec, captured: Readonly<Record<string, string>>): OutgoingRequest =>
    requestOf(spec, renderer.render(spec.probe ?? spec.operation, captured), credentialOf(spec), profile);

  /**
   * An error here ends the run, because no request may be sent that is not recorded or that the vendor does not allow.
   */
  function endingTheRun<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      controller.abort(error);
      throw error;
    }
  }

  /** @throws NotSent if a request cannot be written in this way */
  function check(requests: readonly OutgoingRequest[], delivery?: Delivery): void {
    try {
      client.check(requests, delivery);
    } catch (error) {
      throw error instanceof RequestError ? new NotSent(error.message) : error;
    }
  }

  function intend(specs: readonly RequestSpec[], requests: readonly OutgoingRequest[]): Intent[] {
    const most = profile.pacing.maxRequests;
    if (most !== null && seq + specs.length > most) {
      throw new RequestsSpent(
        `the run needs more requests than the ${most} that max_requests allows: allow as many as its plan says`,
      );
    }
    const now = clock.now();
    const intents = specs.map((spec, index): Intent => {
      const { experiment, step, pair = null, operation, fault = 'none', key, variation = null, odd } = spec;
      return {
        seq: ++seq,
        experiment,
        step,
        pair,
        operation: spec.foreign ? null : operation.id,
        group: operation.group,
        kind: operation.kind,
        fault,
        key,
        credential: credentialOf(spec).name,
        variation,
        ...(odd && { odd: withoutKeys(odd, redact) }),
        method: requests[index]?.method ?? operation.method,
        target: redact(requests[index]?.target ?? operation.path),
        connection: 0,
        sent: now,
      };
    });
    recording.intend(intents);
    return intents;
  }

  function complete(intent: Intent, answer: Answer, spec: RequestSpec, captured: Captured): Sent {
    const { sent, answered, status, failure, headers, connection, truncated } = answer;
    const cut = truncated ? { truncated } : {};
    const exchange: Exchange = { ...intent, sent, answered, status, failure, headers, connection, ...cut };
    endingTheRun(() => recording.record(exchange));
    keepDetail(exchange, answer.detail);
    learn(exchange, spec, captured);
    return { exchange, answer };
  }

  return {
    async send(spec, captured, keepBody = false) {
      const plain = outgoing(spec, captured);
      const request = keepBody || onBody ? { ...plain, keepBody: true } : plain;
      check([request]);
      await pace.wait();
      const [intent] = endingTheRun(() => intend([spec], [request]));
      if (!intent) throw new RangeError('nothing to send');
      const answer = await client.send(request, signal);
      if (answer.body !== null) onBody?.(intent.seq, redact(answer.body.slice(0, MOST_TOLD)));
      return complete(intent, answer, spec, captured);
    },
    async sendAtOnce(specs, captured, options) {
      const plain = specs.map((spec, index) => outgoing(spec, captured[index] ?? {}));
      const requests = onBody ? plain.map((each) => ({ ...each, keepBody: true })) : plain;
      check(requests, options.delivery);
      const intents = endingTheRun(() => intend(specs, requests));
      const answers = await client.burst(requests, { delivery: 'connections', ...options }, signal).catch((error) => {
        if (!(error instanceof DeliveryError)) throw error;
        return requests.map(() => notOffered(clock.now()));
      });
      return intents.flatMap((intent, index) => {
        const answer = answers[index];
        const spec = specs[index];
        if (answer && answer.body !== null) onBody?.(intent.seq, redact(answer.body.slice(0, MOST_TOLD)));
        return answer && spec ? [complete(intent, answer, spec, captured[index] ?? {})] : [];
      });
    },
  };
}

function withoutKeys({ body, headers }: OddParts, redact: (text: string) => string): OddParts {
  return {
    ...(body && { body: { ...body, text: redact(body.text) } }),
    ...(headers && { headers: headers.map(([name, value]) => [name, redact(value)] as const) }),
  };
}

/** The answer if the target does not offer a delivery: no request was sent. */
function notOffered(now: number): Answer {
  const nothing = { answered: null, status: null, detail: null, body: null, fields: null };
  return { ...nothing, sent: now, failure: 'refused', headers: NO_HEADERS, connection: 0 };
}
