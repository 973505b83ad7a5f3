/** What a limiter says of one request. Times are µs of the server's clock. */
export interface Decision {
  readonly accepted: boolean;
  readonly limit: number;
  /** As reported: the requests left after this one; 0 where it is refused. */
  readonly remaining: number;
  /** When the window resets, before any rounding. */
  readonly reset: number;
  /** What `refund` needs to find the request again: its window's start, its bucket or its entry in a log. */
  readonly stamp: number;
  /** Which node it was that decided, where several do; the same one tells how the budget stands when the answer is written. */
  readonly node?: number;
}

/** Something that takes the server a while: go on with `resume` when `wait` µs have passed. Other requests run meanwhile. */
export interface Deferred<T> {
  readonly wait: number;
  readonly resume: (now: number) => T | Deferred<T>;
}

/** What a limiter may know of a request besides its budget. */
export interface Particulars {
  /** What it costs: 1 for a conforming server. */
  readonly weight?: number;
  readonly connection?: number;
}

/**
 * A rate limiter as a state machine with injected time: no clock, no I/O. One instance serves all budgets of a kind.
 * `now` is µs of the server's clock and never falls from one call to the next.
 *
 * Conforming mechanisms decide at once; those that race (`racing.ts`) return a `Deferred`.
 */
export interface Limiter<Outcome = Decision> {
  /** Counts one request against the budget, and says whether it is accepted. */
  decide(budget: string, limit: number, now: number, request?: Particulars): Outcome;
  /** How the budget stands on a node, with nothing counted: `accepted` tells whether a request would be. */
  peek(budget: string, limit: number, now: number, node?: number): Decision;
  /** Takes a request that was counted off the budget again, if its window still runs. */
  refund(budget: string, decision: Decision, now: number): void;
  /** Tells that the request was answered as a bad one, with this status, which moves the windows of some. */
  badRequest?(budget: string, status: number, now: number): void;
  /** Forgets everything. */
  clear?(): void;
}

export type AnyLimiter = Limiter<Decision | Deferred<Decision>>;

export function isDeferred<T extends object>(outcome: T | Deferred<T>): outcome is Deferred<T> {
  return 'resume' in outcome;
}
