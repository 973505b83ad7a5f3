/**
 * Which of the requests of a window was the first to be counted, which the second, and so on. The n-th leaves limit − n, or less where that is read
 * later: so no two can have been the n-th, and of those that say that r or more are left, there are limit − r at the most (Hall 1935). What says that
 * none is left was let through all the same, so that there are no more of all of them than the limit.
 */
export class Ranks {
  readonly #shown: number;
  readonly #most: number;
  /** For each rank how far below it the last free one is to be looked for; 0: it is free itself. */
  readonly #steps: Uint16Array;
  #taken = 0;

  /**
   * @param shown what Remaining counts down from
   * @param most how many are let through at the most; infinite where a race may let more through
   */
  constructor(shown: number, most: number) {
    this.#shown = shown;
    this.#most = most;
    this.#steps = new Uint16Array(shown + 1);
  }

  /** Gives a request the last free rank that leaves as many as it says; false where there is none. */
  take(remaining: number): boolean {
    const last = this.#shown - remaining;
    if (last < 1) return true;
    if (this.#taken >= this.#most) return false;
    const rank = remaining > 0 ? this.#lastFree(last) : null;
    if (rank === 0) return false;
    if (rank !== null) this.#steps[rank] = 1;
    this.#taken += 1;
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
