import type { Clock } from '../../clock/clock.ts';
import { type CapturedHeaders, type Failure, NO_HEADERS } from '../../trace/exchange.ts';
import type { Cause } from './failure.ts';
import { allFields, captureHeaders } from './headers.ts';
import type { Answer } from './message.ts';

/** What every request of a client shares. */
export interface Conditions {
  readonly clock: Clock;
  /** Real ms from the last byte of the request to the head of the answer, and again to the end of its body. */
  readonly timeout: number;
  readonly redact: (text: string) => string;
}

/** At most so much of a body is read; the connection is dropped then, the answer stands. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Follows one request from its release to the end of its answer, whatever carries it, and makes its `Answer`. */
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
  /** Takes the request off its connection; called once, where the reply is concluded from this side. */
  cancel: (cause: Cause) => void = () => {};

  constructor(connection: number, conditions: Conditions, keepBody: boolean) {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.answer = promise;
    this.#settle = resolve;
    this.#connection = connection;
    this.#conditions = conditions;
    this.#keepBody = keepBody;
  }

  /** Whether any byte of the request may have left. */
  get written(): boolean {
    return this.#sent !== null;
  }

  /** Stamps the time of sending: to be called in the same synchronous stretch as the write, just before it. */
  release(): void {
    if (this.#concluded) return;
    this.#sent = Math.floor(this.#conditions.clock.now());
    this.#arm('no answer came within the time limit');
  }

  /** The head of the final response is here. `raw` holds names and values in turn. */
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

  /** The carrier has lost the request. */
  fail(cause: Cause): void {
    this.#conclude(cause);
  }

  /** Gives the request up from this side. */
  abort(cause: Cause): void {
    if (this.#concluded) return;
    this.#conclude(cause);
    this.cancel(cause);
  }

  #arm(detail: string): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.abort({ failure: 'timeout', detail }), this.#conditions.timeout);
  }

  /** A host that cannot be reached any more may have been reached by what was written before. */
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
      body: head && this.#keepBody ? Buffer.concat(this.#body).toString('utf8') : null,
      fields: this.#fields,
    });
  }
}

/** The answer to a request for which no connection could be had. */
export function unsent(connection: number, cause: Cause, conditions: Conditions): Promise<Answer> {
  const reply = new Reply(connection, conditions, false);
  reply.fail(cause);
  return reply.answer;
}
