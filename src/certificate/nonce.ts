import { hashOf } from '../random/hash.ts';

/** The request header that carries a certifier's nonce, and nothing else: no profile may set it. */
export const NONCE_HEADER = 'X-Conformance-Nonce';

/** The form of a nonce: it is sent in a header and appears in logs, between quotes and spaces. */
export function isNonce(text: string): boolean {
  return /^[A-Za-z0-9._~:-]{1,128}$/.test(text);
}

/**
 * The seed of a run made for a certifier's nonce (31 bits of its hash): the nonce determines the order and the names of
 * the requests, so an earlier run with another seed does not match.
 */
export function seedOf(nonce: string): number {
  return hashOf(nonce) >>> 1;
}
