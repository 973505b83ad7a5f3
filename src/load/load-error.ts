/**
 * What is wrong, and in the following lines what to do next. The load run cannot begin or continue for a reason that
 * the user can fix: exit code 2, no stack trace.
 */
export class LoadError extends Error {
  readonly exitCode = 2;
  constructor(message: string, remedy: string) {
    super(`${message}.\n${remedy}`);
    this.name = 'LoadError';
  }
}
