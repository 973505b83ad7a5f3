import type { KindRuling } from '../../diagnosis/kind-ruling.ts';
import type { Explanation } from '../../oracle/explain.ts';
import type { History, Range } from '../../oracle/history.ts';
import type { Budget } from './budgets.ts';

/** One budget and what is known about it. */
export interface Subject {
  readonly budget: Budget;
  /** The ruling on the budgets of its kind; null: in a load run, it was explained by itself. */
  readonly ruling: KindRuling | null;
  /**
   * The explanations of its requests: one for all, or one for each block if the budget is several. Empty if nothing
   * explains them.
   */
  readonly explained: readonly ExplainedHistory[];
  /** The length of its window according to its answers, in µs; null if no spent budget was seen to come back. */
  readonly window: Range | null;
}

/** Requests that use one budget, and the mechanism that explains their answers. */
export interface ExplainedHistory {
  readonly history: History;
  readonly explanation: Explanation;
}

/** The name of a budget, such as `key-1 read`. */
export function nameOf({ budget }: Pick<Subject, 'budget'>): string {
  return `${budget.key} ${budget.kind}`;
}
