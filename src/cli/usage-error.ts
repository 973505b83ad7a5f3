/**
 * An error in the command line, the profile or the environment: shown without a stack trace, exit code 2. The message
 * says what to do next.
 */
export class UsageError extends Error {
  override name = 'UsageError';
}
