import type { Kind } from '../trace/exchange.ts';

/** A budget that is waited for: for its window's end, as a rule. Times are µs of the run's clock. */
export interface Wait {
  /** Name of the track that waits. */
  readonly track: string;
  readonly key: string;
  readonly kind: Kind;
  /** When the track began, or will begin anew. */
  readonly started: number;
  /** Null: it waits no longer. */
  readonly until: number | null;
  /** When the wait began. */
  readonly now: number;
}
