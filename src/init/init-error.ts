/**
 * A document that cannot be used, or a file that must not be overwritten. The message says where, and what to do next.
 */
export class InitError extends Error {
  override name = 'InitError';
}
