/**
 * An error in the call or on the machine that prevents making or checking a certificate: exit code 2. The message says
 * what was wrong, where, and what to do next; it never contains any part of a key.
 */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
}

/** A certificate, or a file next to it, that does not follow its format. The message is one plain sentence. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
}
