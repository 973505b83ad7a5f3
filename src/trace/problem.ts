/** What can be wrong with a trace file. */
export interface TraceProblem {
  /** Counted from 1; 0 for the file as a whole. */
  readonly line: number;
  readonly code:
    | 'unreadable'
    | 'unwritable'
    | 'empty'
    | 'format'
    | 'oversize'
    | 'not-json'
    | 'schema'
    | 'order'
    | 'after-footer'
    | 'counts'
    | 'chain'
    | 'duplicate'
    | 'gap'
    | 'unannounced'
    | 'unanswered';
  /** What is wrong and what to do. */
  readonly message: string;
}

/** A trace that cannot be read or written; `problem` says where and why. */
export class TraceError extends Error {
  override name = 'TraceError';
  readonly problem: TraceProblem;

  constructor(problem: TraceProblem, file: string) {
    super(`${file}${problem.line > 0 ? `, line ${problem.line}` : ''}: ${problem.message}`);
    this.problem = problem;
  }
}
