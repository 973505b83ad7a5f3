/** The bound of work for one question was reached, and the question is still open. */
export class WorkSpent extends Error {
  override name = 'WorkSpent';
}

/**
 * Counts the events that a search compares with a model. Work is counted, not timed, so a trace gives the same verdicts
 * on every machine, after a bounded time.
 */
export class Work {
  #left: number;

  /** @param most bound of work, in events */
  constructor(most: number) {
    this.#left = most;
  }

  get left(): number {
    return this.#left;
  }

  /** Throws a `WorkSpent` if more is spent than the bound. */
  spend(events: number): void {
    this.#left -= events;
    if (this.#left < 0) throw new WorkSpent('the work allowed for this question is spent');
  }
}

/** The result of a search with bounded work, or `spent` if the bound was reached. */
export function unlessSpent<Found>(find: () => Found, spent: Found): Found {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
    return spent;
  }
}
