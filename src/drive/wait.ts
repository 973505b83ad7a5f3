import type { Kind } from '../trace/exchange.ts';

/**
 * Why a budget is waited for: `planned`; `in use`, as it seems, before the run, so that its track begins again; or
 * `spent`, as a refusal says.
 */
export type WaitReason = 'planned' | 'in use' | 'spent';

/** A wait for a budget, usually for the end of its window. Times are µs of the run's clock. */
export interface Wait {
  /** Name of the track that waits. */
  readonly track: string;
  readonly key: string;
  readonly kind: Kind;
  readonly why: WaitReason;
  /** When the track began, or will begin again. */
  readonly started: number;
  /** Null: it waits no longer. */
  readonly until: number | null;
  /** When the wait began. */
  readonly now: number;
}
