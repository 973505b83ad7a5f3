import { type CapturedHeaders, type Exchange, type Failure, plainExchange } from './exchange.ts';

import type { Intent } from './trace.ts';

/** The fields that each request has by itself. */
type OwnField = 'target' | 'connection' | 'sent' | 'answered' | 'status' | 'failure' | 'headers';

/** What many requests have in common. */
export type SharedFields = Omit<Exchange, 'seq' | OwnField>;

/**
 * An exchange that shares common values with others: with a million exchanges, this halves the memory. The shared
 * fields are accessors, which spreading does not copy, so readers name the fields that they copy.
 */
export class SharedExchange implements Exchange {
  seq = 0;
  readonly target: string;
  readonly connection: number;
  readonly sent: number;
  readonly answered: number | null;
  readonly status: number | null;
  readonly failure: Failure | null;
  readonly headers: CapturedHeaders;
  readonly #shared: SharedFields;

  constructor(shared: SharedFields, own: Pick<Exchange, OwnField>) {
    this.target = own.target;
    this.connection = own.connection;
    this.sent = own.sent;
    this.answered = own.answered;
    this.status = own.status;
    this.failure = own.failure;
    this.headers = own.headers;
    this.#shared = shared;
  }

  get experiment() {
    return this.#shared.experiment;
  }
  get step() {
    return this.#shared.step;
  }
  get pair() {
    return this.#shared.pair;
  }
  get operation() {
    return this.#shared.operation;
  }
  get group() {
    return this.#shared.group;
  }
  get kind() {
    return this.#shared.kind;
  }
  get fault() {
    return this.#shared.fault;
  }
  get key() {
    return this.#shared.key;
  }
  get credential() {
    return this.#shared.credential;
  }
  get variation() {
    return this.#shared.variation;
  }
  get method() {
    return this.#shared.method;
  }

  /** The same request without an answer, under another number. */
  toIntent(seq: number): Intent {
    const { target, connection, sent } = this;
    return { seq, ...this.#shared, target, connection, sent };
  }

  toJSON(): Exchange {
    return plainExchange(this);
  }
}
