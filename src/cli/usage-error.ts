/** The user, the profile or the machine is in the way: shown without a stack trace, exit code 2. The message says what to do next. */
export class UsageError extends Error {
  override name = 'UsageError';
}
