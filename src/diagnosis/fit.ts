import type { Explanation } from '../oracle/explain.ts';
import type { Choice, Shape } from '../oracle/shapes.ts';

/** One mechanism that explains all histories of a world. */
export interface Fit {
  readonly shape: Shape;
  readonly choice: Choice;
  /** One for each history of the world, in the same order. */
  readonly explanations: readonly Explanation[];
}
