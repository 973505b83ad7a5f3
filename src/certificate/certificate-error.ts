/**
 * Something about the call or the machine that keeps a certificate from being made or looked at: exit code 2. The message
 * says what was wrong, where, and what to do next; it never holds any part of a key.
 */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
}

/** A certificate or a file beside it that is not what its format demands. The message is one plain sentence. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
}
