import { validateHeaderName, validateHeaderValue } from 'node:http';
import { NONCE_HEADER } from '../../certificate/nonce.ts';
import type { CapturedHeaders, Failure } from '../../trace/exchange.ts';

/** One request as the drive wants it on the wire. Nothing in it is normalised on the way. */
export interface OutgoingRequest {
  readonly method: string;
  /** Path and query below the base URL, such as `/labels?page=2`; `''` for the base URL itself. */
  readonly target: string;
  /** Absolute URL to use in place of the base URL, for probes outside of its prefix. */
  readonly origin?: string;
  /** In order; a name may be repeated. `host`, `user-agent` and `accept` replace what is sent otherwise. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: { readonly contentType: string; readonly text: string } | null;
  /** `fresh`: over a connection of its own, closed after the answer. `pooled` (default): over one that is kept alive. */
  readonly connection?: 'pooled' | 'fresh';
  /** Keep the answer's body (its first MiB) and all of its header fields, for captures. */
  readonly keepBody?: boolean;
}

/**
 * The result of a request. The target decided on it between `sent` and `answered`: both are rounded outwards, so the interval is never too
 * narrow.
 */
export interface Answer {
  /** µs of the clock just before the last byte of the request was written (or the attempt failed, where none was). */
  readonly sent: number;
  /** µs when the head of the final response had arrived; null: it did not. */
  readonly answered: number | null;
  readonly status: number | null;
  /** Null exactly where a head arrived: a body that is cut short leaves its mark in `detail` only. */
  readonly failure: Failure | null;
  /** Whether a head arrived, and its body never came to an end: broken off, or not there in time. A body beyond our bound is whole. */
  readonly truncated?: true;
  /** The cause in words, without secrets; null where there is nothing to say. */
  readonly detail: string | null;
  readonly headers: CapturedHeaders;
  /** Number of the connection in this client, from 1. */
  readonly connection: number;
  /** Null unless `keepBody`. */
  readonly body: string | null;
  /** All header fields by lower-case name, whole and unredacted: for captures, never for a trace. Null unless `keepBody`. */
  readonly fields: Readonly<Record<string, readonly string[]>> | null;
}

/** How every request of a run says where it comes from. */
export interface Sender {
  /** Sent where the request brings no User-Agent of its own. */
  readonly userAgent: string;
  /** A certifier's nonce, in a header of its own; null: none. */
  readonly nonce?: string | null;
}

/** A request resolved against its base URL, ready to be written. */
export interface PreparedRequest {
  readonly endpoint: Endpoint;
  readonly method: string;
  /** What stands in the request line (origin form). */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | null;
  readonly keepBody: boolean;
}

/** Where a connection leads to. */
export interface Endpoint {
  readonly protocol: 'http:' | 'https:';
  /** Name or address, an IPv6 address without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** `protocol//host[:port]`, as a URL has it. */
  readonly origin: string;
}

/** A request that cannot be put on the wire at all, or a base URL that names nothing: a fault of the profile, not of the target. */
export class RequestError extends Error {
  override name = 'RequestError';
}

/**
 * Resolves a request against its base URL. The path is joined as text, since a probe may differ from its control in
 * nothing but the case of a path or a trailing slash.
 *
 * @throws RequestError where the base URL is none or not http(s), or where the request cannot be written
 */
export function prepare(
  request: OutgoingRequest,
  baseUrl: string,
  { userAgent, nonce = null }: Sender,
): PreparedRequest {
  const base = request.origin ?? baseUrl;
  if (!URL.canParse(base)) throw new RequestError(`"${base}" is not a URL: give one such as https://host/api/v1`);
  const url = new URL(base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new RequestError(`"${base}" is not an http or https URL`);
  }
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
    endpoint: {
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
      origin: url.origin,
    },
    method: request.method,
    path: `${prefix}${request.target}`.replace(/^(?!\/)/, '/'),
    headers,
    body: request.body?.text ?? null,
    keepBody: request.keepBody ?? false,
  };
}

/** Headers that say how the message is framed or carried, and which run it belongs to: the client's own. */
const OWN = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  NONCE_HEADER.toLowerCase(),
]);

/** Says what is wrong without quoting a value, because it may be a key. */
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
