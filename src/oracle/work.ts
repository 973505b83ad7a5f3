/** The work that may be done on one question has been done, and the question is still open. */
export class WorkSpent extends Error {
  override name = 'WorkSpent';
}

/**
 * Counts what a search looks at, in events held against a model. Work is counted and not timed, so that a trace gives the
 * same verdicts on every machine, and gives them after a bounded time.
 */
export class Work {
  #left: number;

  /** @param most events that may be looked at */
  constructor(most: number) {
    this.#left = most;
  }

  get left(): number {
    return this.#left;
  }

  /** Throws a `WorkSpent` where more has been asked for than there is. */
  spend(events: number): void {
    this.#left -= events;
    if (this.#left < 0) throw new WorkSpent('the work allowed for this question is spent');
  }
}

/** What is found with bounded work, or `spent` where that is not enough to find it. */
export function unlessSpent<Found>(find: () => Found, spent: Found): Found {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
    return spent;
  }
}
