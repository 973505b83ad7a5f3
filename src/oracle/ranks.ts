/**
 * The order in which the requests of a window were counted. The n-th leaves limit − n, or less if that is read later.
 * So no two can have been the n-th, and at most limit − r answers say that r or more are left (Hall 1935). An answer
 * that says that none is left was accepted all the same, so all of them together are at most the limit.
 */
export class Ranks {
  readonly #shown: number;
  readonly #most: number;
  /** For each rank, how far below it to look for the last free one; 0: it is free itself. */
  readonly #steps: Uint16Array;
  #taken = 0;

  /**
   * @param shown the number from which Remaining counts down
   * @param most how many are accepted at most; infinite if a race may let more through
   */
  constructor(shown: number, most: number) {
    this.#shown = shown;
    this.#most = most;
    this.#steps = new Uint16Array(shown + 1);
  }

  /** Assigns to a request the last free rank that leaves as many as it says; false if there is none. */
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

  /**
   * The last free rank up to this one; 0: there is none. The path is compressed, so that the next search takes one step
   * (Tarjan 1975).
   */
  #lastFree(rank: number): number {
    let found = rank;
    for (let step = this.#steps[found]; step; step = this.#steps[found]) found -= step;
    if (found < rank) this.#steps[rank] = rank - found;
    return found;
  }
}
