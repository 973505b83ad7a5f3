/** The two kinds of operation that the specification limits separately (clause 8). */
export const KINDS = ['read', 'write'] as const;
export type Kind = (typeof KINDS)[number];

export function otherThan(kind: Kind): Kind {
  return kind === 'read' ? 'write' : 'read';
}

/** The resource groups of the specification (clause 2). */
export const GROUPS = ['service', 'categories', 'labels'] as const;
export type Group = (typeof GROUPS)[number];

/**
 * The one deliberate fault of a request. Each request has at most one, because the specification does not say which
 * status comes first if two apply.
 *
 * - `none`: nothing; it must succeed unless the budget is spent
 * - `no-key`, `bad-key`: no key, or one that is not accepted: 401 (clauses 5.4, 7)
 * - `permission`: the key lacks permission for the operation: 403 (clause 5.5)
 * - `parameter`, `missing`, `internal`: 400, 404, 500 (clause 7)
 * - `unstated`: the specification does not say what must follow (unknown paths, two keys at once …): only observed
 */
export type Fault = 'none' | 'no-key' | 'bad-key' | 'permission' | 'parameter' | 'missing' | 'internal' | 'unstated';

/** Why a request has no complete answer. The target may have counted such a request. */
export type Failure =
  | 'timeout'
  | 'reset'
  | 'refused'
  | 'dns'
  | 'tls'
  | 'protocol'
  | 'too-large'
  | 'aborted'
  | 'unknown';

/** Header values as received, in order, one entry per field line (never joined, never trimmed). Empty: absent. */
export interface CapturedHeaders {
  readonly limit: readonly string[];
  readonly remaining: readonly string[];
  readonly reset: readonly string[];
  readonly date: readonly string[];
  readonly retryAfter: readonly string[];
  /** Other response headers on the allow-list (lower-case names): reports show them, but no verdict needs them. */
  readonly other: Readonly<Record<string, readonly string[]>>;
}

/**
 * What an odd request sends that its operation does not: a body in place of its own, and headers beside or in place of
 * its own.
 */
export interface OddParts {
  /** As in a profile: with variables, if it has any. */
  readonly body?: { readonly contentType: string; readonly text: string };
  readonly headers?: readonly (readonly [string, string])[];
}

const NO_VALUES: readonly string[] = Object.freeze([]);

/** The headers of an exchange that was not answered. Shared to save memory. */
export const NO_HEADERS: CapturedHeaders = Object.freeze({
  limit: NO_VALUES,
  remaining: NO_VALUES,
  reset: NO_VALUES,
  date: NO_VALUES,
  retryAfter: NO_VALUES,
  other: Object.freeze({}),
});

/**
 * One request and its answer, the unit of the trace. It has everything that a judge may know; keys appear only as
 * aliases, from the moment of recording.
 */
export interface Exchange {
  /** Unique in the run; rises in the order in which requests were prepared. */
  readonly seq: number;
  /** The experiment of the plan that it belongs to, such as `anonymous` or `polled-read`. */
  readonly experiment: string;
  /** Its part in that experiment, such as `control`, `probe`, `marker`, `burst`, `settle`, `poll`. */
  readonly step: string;
  /** Ties a probe to its positive control: both carry the same value. */
  readonly pair: string | null;
  /** The operation's id in the profile; null if the request is not an operation of the profile (an unknown path). */
  readonly operation: string | null;
  readonly group: Group | null;
  readonly kind: Kind;
  readonly fault: Fault;
  /** Alias of the key presented: `key-1` …, `restricted`, `revoked`, `unknown` (made up); null if none was sent. */
  readonly key: string | null;
  /**
   * How the key was presented: `x-api-key`, `bearer`, `none`, or a name of an observed way such as `both-same`,
   * `query`.
   */
  readonly credential: string;
  /**
   * What differs from the plain request without being a fault: `forwarded-for`, `user-agent`, `path-case` …; null:
   * nothing.
   */
  readonly variation: string | null;
  /** Absent: nothing but what the variation says. */
  readonly odd?: OddParts;
  readonly method: string;
  /** Path and query below the base URL, as sent (a key in it is replaced by its alias). */
  readonly target: string;
  /** Number of the connection in the run; requests with the same number shared it. */
  readonly connection: number;
  /** µs of the run's clock just before the last byte of the request was written. */
  readonly sent: number;
  /** µs when the head of the response had arrived; null if none did. */
  readonly answered: number | null;
  readonly status: number | null;
  readonly failure: Failure | null;
  readonly headers: CapturedHeaders;
  /** The head arrived, but the body never ended: such an answer has a status and headers, but is not a success. */
  readonly truncated?: true;
}

/**
 * Exactly the fields of an exchange in their order, from any object that has them: a line of a trace also has a type.
 */
export function plainExchange(exchange: Exchange): Exchange {
  const { seq, experiment, step, pair, operation, group, kind, fault, key, credential, variation, method } = exchange;
  const { odd, target, connection, sent, answered, status, failure, headers, truncated } = exchange;
  return {
    seq,
    experiment,
    step,
    pair,
    operation,
    group,
    kind,
    fault,
    key,
    credential,
    variation,
    ...(odd ? { odd } : {}),
    method,
    target,
    connection,
    sent,
    answered,
    status,
    failure,
    headers,
    ...(truncated ? { truncated } : {}),
  };
}

/** Whether a status is a success (2xx); null, which stands for no answer, is none. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Whether an alias is that of a full key. */
export function isFullKey(key: string | null): key is string {
  return key?.startsWith('key-') ?? false;
}

/** The place of a full key among all, from 1, by its alias. */
export function numberOfKey(alias: string): number {
  return Number(alias.slice('key-'.length));
}

/** The alias of the key whose budget a request is charged to if it is counted; null if it had no accepted key. */
export function budgetKey(exchange: Pick<Exchange, 'fault' | 'key'>): string | null {
  return hasNoAcceptedKey(exchange) ? null : exchange.key;
}

/**
 * Whether a request was sent without a key, or with one that must not be accepted. It has no limit of clause 8 that it
 * could exceed.
 */
export function hasNoAcceptedKey({ fault }: Pick<Exchange, 'fault'>): boolean {
  return fault === 'no-key' || fault === 'bad-key';
}
