/**
 * What asks a command to end in order: Ctrl-C, another process, or a terminal that is closed. `bin` has the same list.
 */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal came before there was anything to judge or report: exit code 3. The message says what to do. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}
