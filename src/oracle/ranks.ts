/**
 * Which of the requests of a window was the first to be counted, which the second, and so on. The n-th leaves limit − n, or less where that is read
 * later: so no two can have been the n-th, and of those that say that r or more are left, there are limit − r at the most (Hall 1935).
 */
export class Ranks {
  readonly #shown: number;
  /** For each rank how far below it the last free one is to be looked for; 0: it is free itself. */
  readonly #steps: Uint16Array;

  /** @param shown what Remaining counts down from */
  constructor(shown: number) {
    this.#shown = shown;
    this.#steps = new Uint16Array(shown + 1);
  }

  /** Gives a request the last free rank that leaves as many as it says; false where there is none. Where it says that none is left, it may have any. */
  take(remaining: number): boolean {
    const last = this.#shown - remaining;
    if (remaining <= 0 || last < 1) return true;
    const rank = this.#lastFree(last);
    if (rank === 0) return false;
    this.#steps[rank] = 1;
    return true;
  }

  /** The last free rank up to this one; 0: there is none. What was gone through is gone through in one step next time (Tarjan 1975). */
  #lastFree(rank: number): number {
    let found = rank;
    for (let step = this.#steps[found]; step; step = this.#steps[found]) found -= step;
    if (found < rank) this.#steps[rank] = rank - found;
    return found;
  }
}
