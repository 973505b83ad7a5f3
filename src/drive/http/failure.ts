import type { Failure } from '../../trace/exchange.ts';

/** Why a request has no answer, for the trace and for the user. */
export interface Cause {
  readonly failure: Failure;
  /** What happened and, if known, what to do. Contains no text of the target or the request. */
  readonly detail: string;
}

/** An error with a known cause, from the suite's own time-outs, aborts and connectors. */
export class CauseError extends Error {
  override name = 'CauseError';
  /** Prevents undici from connecting again. */
  readonly code = 'ERR_REQUEST_CAUSE';
  readonly failureCause: Cause;

  constructor(failure: Failure, detail: string) {
    super(detail);
    this.failureCause = { failure, detail };
  }
}

const TOO_LATE: Cause = { failure: 'timeout', detail: 'the connection was not established within the time limit' };
const TOO_LARGE: Cause = { failure: 'too-large', detail: "the answer's header section exceeds 64 KiB" };
const NO_TLS: Cause = {
  failure: 'tls',
  detail: 'the other side does not speak TLS on this port: should the base URL start with http://?',
};

/** What is wrong with a certificate that the right CA file would mend. */
function untrusted(what: string): Cause {
  return { failure: 'tls', detail: `${what}: set it as the CA file of the profile (http.tls)` };
}

const BY_CODE: Readonly<Record<string, Cause>> = {
  ECONNREFUSED: { failure: 'refused', detail: 'the connection was refused: nothing listens at this address and port' },
  EHOSTUNREACH: { failure: 'refused', detail: 'the host cannot be reached: there is no route to it' },
  ENETUNREACH: { failure: 'refused', detail: 'the network cannot be reached: there is no route to it' },
  EADDRNOTAVAIL: { failure: 'refused', detail: 'no local address or port is free for another connection' },
  EMFILE: { failure: 'refused', detail: 'this machine allows no more open files: raise its limit (ulimit -n)' },
  ENOTFOUND: { failure: 'dns', detail: 'the host name does not exist: check the base URL' },
  EAI_AGAIN: { failure: 'dns', detail: 'the host name could not be looked up: the name server does not answer' },
  ETIMEDOUT: TOO_LATE,
  UND_ERR_CONNECT_TIMEOUT: TOO_LATE,
  ECONNRESET: { failure: 'reset', detail: 'the connection was reset by the other side' },
  EPIPE: { failure: 'reset', detail: 'the connection was closed by the other side while the request was written' },
  ECONNABORTED: { failure: 'reset', detail: 'the connection was aborted' },
  UND_ERR_SOCKET: { failure: 'reset', detail: 'the connection was closed by the other side before an answer came' },
  ERR_HTTP2_STREAM_ERROR: { failure: 'reset', detail: 'the stream was reset by the other side' },
  ERR_HTTP2_SESSION_ERROR: { failure: 'reset', detail: 'the HTTP/2 connection was closed by the other side' },
  ERR_HTTP2_STREAM_CANCEL: { failure: 'reset', detail: 'the HTTP/2 connection was closed before an answer came' },
  ERR_HTTP2_GOAWAY_SESSION: { failure: 'reset', detail: 'the HTTP/2 connection takes no more requests' },
  ERR_HTTP2_ERROR: { failure: 'protocol', detail: 'the answer does not follow HTTP/2' },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: {
    failure: 'protocol',
    detail: 'its Content-Length is there twice, or contradicts Transfer-Encoding or the body: send one that is right',
  },
  UND_ERR_HEADERS_OVERFLOW: TOO_LARGE,
  HPE_HEADER_OVERFLOW: TOO_LARGE,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted('the certificate is self-signed'),
  SELF_SIGNED_CERT_IN_CHAIN: untrusted('the certificate chain ends in a CA that is not trusted'),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted('the issuer of the certificate is not trusted'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted('the issuer of the certificate is not trusted'),
  CERT_HAS_EXPIRED: { failure: 'tls', detail: 'the certificate has expired' },
  CERT_NOT_YET_VALID: { failure: 'tls', detail: 'the certificate is not valid yet: check the clocks' },
  ERR_TLS_CERT_ALTNAME_INVALID: { failure: 'tls', detail: 'the certificate is for another host name' },
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
};

/**
 * Classifies errors of undici, Node or OpenSSL. Unknown errors are described by their code, never by their message,
 * because the message may quote what was received.
 */
export function causeOf(error: unknown): Cause {
  if (error instanceof CauseError) return error.failureCause;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : '';
  if (error instanceof Error && error.name === 'AbortError') return { failure: 'aborted', detail: 'the run was ended' };
  if (message.includes('before secure TLS connection')) {
    return {
      failure: 'tls',
      detail: 'the other side closed the connection during the TLS handshake: does it speak TLS on this port?',
    };
  }
  if (message === 'bad response' || message === 'bad upgrade') {
    return { failure: 'protocol', detail: 'the other side sent something that does not answer a request' };
  }
  const known = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  if (known) return known;
  if (code.startsWith('HPE_') || (error instanceof Error && error.name === 'HTTPParserError'))
    return protocolCause(error);
  if (code.startsWith('EAI_')) return { failure: 'dns', detail: `the host name could not be looked up (${code})` };
  if (/^(ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|ERR_OSSL_)|^(EPROTO|HOSTNAME_MISMATCH|INVALID_CA)$/.test(code)) {
    return { failure: 'tls', detail: `the TLS connection failed (${code})` };
  }
  return { failure: 'unknown', detail: code ? `the request failed (${code})` : 'the request failed' };
}

function protocolCause(error: unknown): Cause {
  // A TLS server answers plain HTTP with an alert record: content type 21, version 3.x.
  const data = typeof error === 'object' && error !== null && 'data' in error ? String(error.data) : '';
  return data.startsWith('\u0015\u0003')
    ? {
        failure: 'protocol',
        detail: 'the other side speaks TLS on this port: should the base URL start with https://?',
      }
    : { failure: 'protocol', detail: brokenHead(error) };
}

/** The parser's own word, in parentheses at the end of its message: it never quotes what was received. */
function brokenHead(error: unknown): string {
  const reason = /\(([A-Za-z][\w ,/-]{0,60})\)$/.exec(error instanceof Error ? error.message : '')?.[1] ?? null;
  if (reason?.startsWith('Expected HTTP/')) {
    return 'what it sent is not HTTP: correct the scheme (http, https) or the port';
  }
  return `its answer does not follow HTTP/1.1${reason === null ? '' : ` (${reason.toLowerCase().replaceAll('http', 'HTTP')})`}: correct the status line and the headers`;
}

/** The most specific error code. If every address of a host failed, the code of the first. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return 'cause' in error ? codeOf(error.cause) : '';
}
