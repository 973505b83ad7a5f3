import type { History } from '../oracle/history.ts';
import type { Shape } from '../oracle/shapes.ts';

/**
 * Mechanisms that a part of a run has refuted. What follows makes none of them explain the run again, so who judges a run several times
 * while it lasts need not ask after them anew.
 */
export class RefutedMechanisms {
  readonly #sets = new Map<string, Set<Shape>>();

  /** Those refuted for budgets of one kind, to be added to. Where markers are read otherwise, or other keys had been used before, all is to be asked anew. */
  of(histories: readonly History[]): Set<Shape> {
    const [first] = histories;
    const before = histories.flatMap(({ key, prior }) => (prior ? [`${key}: ${prior.high}`] : []));
    const name = [first?.kind, first?.unit, ...before].join();
    const known = this.#sets.get(name) ?? new Set();
    this.#sets.set(name, known);
    return known;
  }
}
