/** The number of events that have contradicted parts of the parameter space and are checked first in the next parts. */
const MOST_EVENTS = 12;

/**
 * The events that contradicted something last, in order: neighbouring parts of the parameter space fail at the same
 * events.
 */
export class ConflictSet {
  list: readonly number[] = [];
  #latest: readonly number[] = [];

  add(conflict: readonly number[]): void {
    const fresh = conflict.filter((at) => at >= 0);
    this.#latest = [...new Set([...fresh, ...this.#latest])].slice(0, MOST_EVENTS);
    this.list = [...this.#latest].sort((one, other) => one - other);
  }
}
