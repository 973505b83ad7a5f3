import type { Exchange, Kind } from './exchange.ts';

/**
 * A summary of exchanges that are not stored. In a load run of millions, these belong to budgets that fixed windows
 * certainly explain. Each is a plain request of the profile with a full key, was answered 200 or 429, and has the three
 * headers with correct values.
 */
export interface Condensed {
  /** How many were accepted and refused, by kind. */
  readonly accepted: Readonly<Record<Kind, number>>;
  readonly refused: Readonly<Record<Kind, number>>;
  /** The explained budgets; equal ones share an entry. */
  readonly budgets: readonly CondensedBudgets[];
  /** Aliases of the keys that they were sent with, and numbers of the connections. */
  readonly keys: ReadonlySet<string>;
  readonly connections: ReadonlySet<number>;
  /** Kinds of which more requests than the limit succeeded on one key. */
  readonly beyond: ReadonlySet<Kind>;
  /** When the last of them was sent. */
  readonly last: number;
  /**
   * When the first and the last of the whole run were sent, and when the last answer came, in µs of the run's clock.
   */
  readonly times: { readonly first: number; readonly last: number; readonly answered: number };
  /**
   * Of all answers of the run, in µs since the Unix epoch less µs of the run's clock: `Date` less answered at most, and
   * less sent at least.
   */
  readonly dates: { readonly answered: number; readonly sent: number };
  /** From sending to answer over the whole run, in µs. */
  readonly latency: { readonly p50: number; readonly p99: number; readonly max: number };
  /** The first answers of the run: they tell the unit of the marker. */
  readonly sample: readonly Exchange[];
  /**
   * Budgets (`key-1 read`) that nothing explained and for which there was no room: the trace has single answers of
   * these, but no history.
   */
  readonly left: ReadonlySet<string>;
}

/** Equal budgets of one kind, and their totals. */
export interface CondensedBudgets {
  readonly kind: Kind;
  readonly mechanism: 'grid' | 'anchored';
  readonly budgets: number;
  readonly accepted: number;
  readonly refused: number;
  /** The most requests of one budget that were under way at once. */
  readonly atOnce: number;
  readonly windows: number;
}

/** How many were accepted or refused, of one kind or of both. */
export function condensedCount(
  condensed: Condensed | undefined,
  outcomes: readonly ('accepted' | 'refused')[] = ['accepted', 'refused'],
  kinds: readonly Kind[] = ['read', 'write'],
): number {
  if (!condensed) return 0;
  return outcomes.reduce((sum, outcome) => sum + kinds.reduce((all, kind) => all + condensed[outcome][kind], 0), 0);
}
