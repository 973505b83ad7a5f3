import type { Clock } from '../../clock/clock.ts';
import { type CapturedHeaders, type Failure, NO_HEADERS } from '../../trace/exchange.ts';
import { decodeBody } from './content-coding.ts';
import type { Cause } from './failure.ts';
import { allFields, captureHeaders } from './headers.ts';
import type { Answer } from './message.ts';

/** What all requests of a client have in common. */
export interface Conditions {
  readonly clock: Clock;
  /** Real ms from the last byte of the request to the head of the answer, and again to the end of its body. */
  readonly timeout: number;
  readonly redact: (text: string) => string;
}

/** Longer bodies are cut: the connection is dropped, and the answer is kept. Also the bound of a body once decoded. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Follows one request from its release to the end of its answer, over any kind of connection, and makes its `Answer`.
 */
export class Reply {
  /** Never rejects. */
  readonly answer: Promise<Answer>;
  readonly #connection: number;
  readonly #conditions: Conditions;
  readonly #keepBody: boolean;
  readonly #settle: (answer: Answer) => void;
  #concluded = false;
  #sent: number | null = null;
  #head: { readonly at: number; readonly status: number; readonly headers: CapturedHeaders } | null = null;
  #fields: Answer['fields'] = null;
  #timer: NodeJS.Timeout | null = null;
  #bodyBytes = 0;
  readonly #body: Buffer[] = [];
  /** Removes the request from its connection. Called once, if this side ends the reply. */
  cancel: (cause: Cause) => void = () => {};

  constructor(connection: number, conditions: Conditions, keepBody: boolean) {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.answer = promise;
    this.#settle = resolve;
    this.#connection = connection;
    this.#conditions = conditions;
    this.#keepBody = keepBody;
  }

  /** Whether any byte of the request may have been sent. */
  get written(): boolean {
    return this.#sent !== null;
  }

  /** Records the time of sending. Must be called just before the write, in the same synchronous code. */
  release(): void {
    if (this.#concluded) return;
    this.#sent = Math.floor(this.#conditions.clock.now());
    this.#arm('no answer came within the time limit');
  }

  /** The head of the final response has arrived. `raw` holds names and values, alternating. */
  begin(status: number, raw: readonly (Buffer | string)[]): void {
    const at = Math.ceil(this.#conditions.clock.now());
    if (this.#concluded) return;
    if (this.#sent === null) {
      this.abort({ failure: 'protocol', detail: 'the other side answered before the request was sent' });
      return;
    }
    this.#head = { at, status, headers: captureHeaders(raw, this.#conditions.redact) };
    if (this.#keepBody) this.#fields = allFields(raw);
    this.#arm('the body did not end within the time limit');
  }

  receive(chunk: Buffer): void {
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes > MAX_BODY_BYTES)
      this.abort({ failure: 'too-large', detail: 'only 1 MiB of the body was read' });
    else if (this.#keepBody) this.#body.push(chunk);
  }

  end(): void {
    this.#conclude(null);
  }

  /** The connection has lost the request. */
  fail(cause: Cause): void {
    this.#conclude(cause);
  }

  /** Ends the request from this side. */
  abort(cause: Cause): void {
    if (this.#concluded) return;
    this.#conclude(cause);
    this.cancel(cause);
  }

  #arm(detail: string): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.abort({ failure: 'timeout', detail }), this.#conditions.timeout);
  }

  /** If a host becomes unreachable, it may still have received what was written before. */
  #failureOf(cause: Cause | null): Failure {
    if (cause === null) return 'unknown';
    const unsent = cause.failure === 'refused' || cause.failure === 'dns';
    return unsent && this.written ? 'unknown' : cause.failure;
  }

  #conclude(cause: Cause | null): void {
    if (this.#concluded) return;
    this.#concluded = true;
    if (this.#timer) clearTimeout(this.#timer);
    const head = this.#head;
    const cut = head !== null && cause !== null && cause.failure !== 'too-large';
    this.#settle({
      ...(cut ? { truncated: true } : {}),
      sent: this.#sent ?? Math.floor(this.#conditions.clock.now()),
      answered: head?.at ?? null,
      status: head?.status ?? null,
      failure: head ? null : this.#failureOf(cause),
      detail: cause ? this.#conditions.redact(cause.detail) : null,
      headers: head?.headers ?? NO_HEADERS,
      connection: this.#connection,
      ...(head && this.#fields
        ? decodeBody(Buffer.concat(this.#body), this.#fields, MAX_BODY_BYTES, this.#conditions.redact)
        : { body: null }),
      fields: this.#fields,
    });
  }
}

/** The answer to a request for which no connection could be opened. */
export function unsent(connection: number, cause: Cause, conditions: Conditions): Promise<Answer> {
  const reply = new Reply(connection, conditions, false);
  reply.fail(cause);
  return reply.answer;
}
