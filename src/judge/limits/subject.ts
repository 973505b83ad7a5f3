import type { KindRuling } from '../../diagnosis/run.ts';
import type { Explanation } from '../../oracle/explain.ts';
import type { History, Range } from '../../oracle/history.ts';
import type { Budget } from './budgets.ts';

/** One budget with what is known of it. */
export interface Subject {
  readonly budget: Budget;
  /** What is to be said of the budgets of its kind; null: it was explained by itself, in a load run. */
  readonly ruling: KindRuling | null;
  /** What explains its requests: all of them, or those of each block where the budget is not one. Empty where nothing does. */
  readonly explained: readonly ExplainedHistory[];
  /** The length of its window as its answers tell it, in µs; null where no return of a spent budget was seen. */
  readonly window: Range | null;
}

/** Requests that draw on one budget, and the mechanism that explains their answers. */
export interface ExplainedHistory {
  readonly history: History;
  readonly explanation: Explanation;
}

/** How a budget is called: `key-1 read`. */
export function nameOf({ budget }: Pick<Subject, 'budget'>): string {
  return `${budget.key} ${budget.kind}`;
}
