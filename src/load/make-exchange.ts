import { SharedExchange, type SharedFields } from '../trace/shared-exchange.ts';
import type { LoadSpec } from './load-spec.ts';
import type { RecordedAnswer } from './recorded.ts';
import { renderer } from './render.ts';
import { type PlannedRequest, requestLookup } from './request-id.ts';

/** How to convert an instance's clock to the run's: add `shift`, whose error is at most `slack` (real µs). */
export interface ClockPlace {
  readonly shift: number;
  readonly slack: number;
}

/** Makes exchanges from the records of a run's instances. */
export class ExchangeMaker {
  /** How many records were of requests that the plan does not have. */
  unknown = 0;
  readonly #spec: LoadSpec;
  readonly #lookup: ReturnType<typeof requestLookup>;
  readonly #rendered: ReturnType<typeof renderer>;
  /** What requests of a key have in common, for each step of each operation. */
  readonly #shared: SharedFields[][] = [];

  constructor(spec: LoadSpec) {
    this.#spec = spec;
    this.#lookup = requestLookup(spec);
    this.#rendered = renderer(spec);
  }

  /** The exchange, without its number; null where the plan has no such request. */
  make(answer: RecordedAnswer, { shift, slack }: ClockPlace, connection: number): SharedExchange | null {
    const { id, sent, answered, status, failure, headers } = answer;
    const request = this.#lookup(id);
    if (!request) {
      this.unknown += 1;
      return null;
    }
    const { scale } = this.#spec;
    return new SharedExchange(this.#sharedOf(request), {
      target: this.#rendered(request.template, id).target,
      connection,
      sent: Math.max(0, Math.floor((sent + shift - slack) * scale)),
      answered: failure === null ? Math.ceil((answered + shift + slack) * scale) : null,
      status: failure === null ? status : null,
      failure,
      headers,
    });
  }

  #sharedOf({ key, kind, step, template }: PlannedRequest): SharedFields {
    this.#shared[key] ??= [];
    const own = this.#shared[key];
    const known = own.find((each) => each.operation === template.operation && each.step === step);
    if (known) return known;
    const made: SharedFields = {
      experiment: this.#spec.scenario,
      step,
      pair: null,
      operation: template.operation,
      group: template.group,
      kind,
      fault: 'none',
      key: own[0]?.key ?? aliasOf(key),
      credential: 'x-api-key',
      variation: null,
      method: template.method,
    };
    own.push(made);
    return made;
  }
}

/** Alias of the key with this index, counted from 0. */
export function aliasOf(key: number): string {
  return `key-${key + 1}`;
}
