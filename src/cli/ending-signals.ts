/** What asks a command to end in order: Ctrl-C, another process, or a terminal that is closed. `bin` has the same list. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
