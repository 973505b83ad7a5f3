import { validateHeaderName, validateHeaderValue } from 'node:http';
import { NONCE_HEADER } from '../../certificate/nonce.ts';
import type { CapturedHeaders, Failure } from '../../trace/exchange.ts';

/** One request to be sent exactly as given: nothing is normalised. */
export interface OutgoingRequest {
  readonly method: string;
  /** Path and query below the base URL, such as `/labels?page=2`; `''` for the base URL itself. */
  readonly target: string;
  /** Absolute URL instead of the base URL, for probes outside its prefix. */
  readonly origin?: string;
  /** In order; a name may be repeated. `host`, `user-agent` and `accept` replace the defaults. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: { readonly contentType: string; readonly text: string } | null;
  /** `fresh`: over its own connection, closed after the answer. `pooled` (default): over a connection that is kept. */
  readonly connection?: 'pooled' | 'fresh';
  /** Keep the body of the answer (its first MiB) and all of its header fields, for captures. */
  readonly keepBody?: boolean;
}

/**
 * The result of a request. The target decided between `sent` and `answered`. Both are rounded outwards, so the interval
 * is never too narrow.
 */
export interface Answer {
  /**
   * µs of the clock just before the last byte of the request was written; if none was written, when the attempt failed.
   */
  readonly sent: number;
  /** µs when the head of the final response had arrived; null: it did not arrive. */
  readonly answered: number | null;
  readonly status: number | null;
  /** Null exactly if a head arrived. If only the body is cut short, just `detail` says so. */
  readonly failure: Failure | null;
  /** A head arrived, but the body broke off or was too late. A body above the suite's bound counts as complete. */
  readonly truncated?: true;
  /** The cause in words, without secrets; null if there is none. */
  readonly detail: string | null;
  readonly headers: CapturedHeaders;
  /** Number of the connection in this client, from 1. */
  readonly connection: number;
  /** Without its content codings. Null unless `keepBody`. */
  readonly body: string | null;
  /** Why the body still has its content codings, without secrets; absent: it has none. */
  readonly undecoded?: string;
  /**
   * All header fields by lower-case name, complete and unredacted: for captures, never for a trace. Null unless
   * `keepBody`.
   */
  readonly fields: Readonly<Record<string, readonly string[]>> | null;
}

/** How the requests of a run identify their sender. */
export interface Sender {
  /** Sent if the request has no User-Agent of its own. */
  readonly userAgent: string;
  /** A certifier's nonce, sent in a header of its own; null: none. */
  readonly nonce?: string | null;
}

/** A request with its full URL, ready to be written. */
export interface PreparedRequest {
  readonly endpoint: Endpoint;
  readonly method: string;
  /** The target in the request line (origin form). */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | null;
  readonly keepBody: boolean;
}

/** The other end of a connection. */
export interface Endpoint {
  readonly protocol: 'http:' | 'https:';
  /** Name or address; an IPv6 address without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** `protocol//host[:port]`, as in a URL. */
  readonly origin: string;
}

/** Where a URL leads; null: it is not one of http or https. */
export function endpointOf({ protocol, hostname, port, origin }: URL): Endpoint | null {
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  const usual = protocol === 'https:' ? 443 : 80;
  return { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port), origin };
}

/** A request that cannot be written at all, or an invalid base URL: a fault of the profile, not of the target. */
export class RequestError extends Error {
  override name = 'RequestError';
}

/**
 * Resolves a request against its base URL. The path is joined as text, because a probe may differ from its control only
 * in the case of a path or in a trailing slash.
 *
 * @throws RequestError if the base URL is invalid or not http(s), or if the request cannot be written
 */
export function prepare(
  request: OutgoingRequest,
  baseUrl: string,
  { userAgent, nonce = null }: Sender,
): PreparedRequest {
  const base = request.origin ?? baseUrl;
  if (!URL.canParse(base)) throw new RequestError(`"${base}" is not a URL: give one such as https://host/api/v1`);
  const url = new URL(base);
  const endpoint = endpointOf(url);
  if (endpoint === null) throw new RequestError(`"${base}" is not an http or https URL`);
  checkWritable(request);
  const prefix = url.pathname.replace(/\/$/, '');
  const headers: (readonly [string, string])[] = [];
  const given = new Set(request.headers.map(([name]) => name.toLowerCase()));
  if (!given.has('user-agent')) headers.push(['user-agent', userAgent]);
  if (nonce !== null) headers.push([NONCE_HEADER, nonce]);
  if (!given.has('accept')) headers.push(['accept', '*/*']);
  if (request.body && !given.has('content-type')) headers.push(['content-type', request.body.contentType]);
  headers.push(...request.headers);
  return {
    endpoint,
    method: request.method,
    path: `${prefix}${request.target}`.replace(/^(?!\/)/, '/'),
    headers,
    body: request.body?.text ?? null,
    keepBody: request.keepBody ?? false,
  };
}

/** Headers about the framing and transport of the message and about the run. Only the client itself sets them. */
const OWN = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  NONCE_HEADER.toLowerCase(),
]);

/** Says what is wrong without quoting a value, because the value may be a key. */
function checkWritable({ method, target, headers }: OutgoingRequest): void {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method) || method === 'CONNECT') {
    throw new RequestError(`"${method}" is not an HTTP method that the suite can send`);
  }
  if (/[^\u0021-\u00ff]/.test(target)) {
    throw new RequestError(
      'the path or query contains a space, a control character or a non-Latin-1 character: percent-encode it',
    );
  }
  for (const [name, value] of headers) {
    if (OWN.has(name.toLowerCase())) throw new RequestError(`the header "${name}" cannot be set: the client sets it`);
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw new RequestError(
        `the header "${name}" has a name or value that HTTP does not allow (such as a line break)`,
      );
    }
  }
}
