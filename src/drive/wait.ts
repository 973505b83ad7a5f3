import type { Kind } from '../trace/exchange.ts';

/** A wait for a budget, usually for the end of its window. Times are µs of the run's clock. */
export interface Wait {
  /** Name of the track that waits. */
  readonly track: string;
  readonly key: string;
  readonly kind: Kind;
  /** When the track began, or will begin again. */
  readonly started: number;
  /** Null: it waits no longer. */
  readonly until: number | null;
  /** When the wait began. */
  readonly now: number;
}
