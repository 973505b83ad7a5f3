/** The load run cannot begin or go on, for a reason that the user can do something about: exit code 2, no stack trace. */
export class LoadError extends Error {
  readonly exitCode = 2;
  /** What to do next, in one or more lines. */
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.name = 'LoadError';
    this.remedy = remedy;
  }
}
