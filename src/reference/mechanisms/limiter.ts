import type { RequestClass } from '../../deployment/attribute.ts';

/** What a limiter decides about one request. Times are µs of the server's clock. */
export interface Decision {
  readonly accepted: boolean;
  readonly limit: number;
  /** The requests left after this one, as reported; 0 if it is refused. */
  readonly remaining: number;
  /** The end of the window, before rounding. */
  readonly reset: number;
  /** What `refund` needs to find the request again: the start of its window, its bucket, or its entry in a log. */
  readonly stamp: number;
  /**
   * The node that decided, if there are several. The same node reports the state of the budget when the answer is
   * written.
   */
  readonly node?: number;
}

/**
 * A step that takes the server some time: continue with `resume` after `wait` µs. Other requests run in the meantime.
 */
export interface Deferred<T> {
  readonly wait: number;
  readonly resume: (now: number) => T | Deferred<T>;
}

/** What a limiter may know about a request besides its budget. */
export interface Particulars {
  /** How many requests it counts as: 1 on a conforming server. */
  readonly weight?: number;
  readonly connection?: number;
}

/**
 * A rate limiter as a state machine to which the caller passes the time: it uses no clock and no I/O. One instance
 * serves all budgets of a kind. `now` is µs of the server's clock and never decreases from one call to the next.
 *
 * Conforming mechanisms decide at once. Those with races (`racing.ts`) return a `Deferred`.
 */
export interface Limiter<Outcome = Decision> {
  /** Counts one request against the budget, and says whether it is accepted. */
  decide(budget: string, limit: number, now: number, request?: Particulars): Outcome;
  /** The state of the budget on a node, without counting: `accepted` says whether a request would be accepted. */
  peek(budget: string, limit: number, now: number, node?: number): Decision;
  /** Subtracts a counted request from the budget again, if its window has not ended. */
  refund(budget: string, decision: Decision, now: number): void;
  /** Reports what moves the windows of some limiters. */
  note?(budget: string, event: LimiterEvent, now: number): void;
  /** Forgets everything. */
  clear?(): void;
}

/**
 * The error status of an answer, a success of the same key in the other kind, by this operation, or one in this kind,
 * with whether its request is of a class.
 */
export type LimiterEvent =
  | number
  | { readonly other: string | null }
  | { readonly own: (requests: RequestClass) => boolean };

export type AnyLimiter = Limiter<Decision | Deferred<Decision>>;

/** The alias of the key that a budget belongs to: the name of the budget begins with it. */
export function keyOf(budget: string): string {
  return budget.split(' ', 1)[0] ?? '';
}

/** A limiter that leaves each budget to another one, under the name that it has there. */
export function routed(route: (budget: string, now: number) => readonly [to: AnyLimiter, name: string]): AnyLimiter {
  const at = <Result>(budget: string, now: number, call: (to: AnyLimiter, name: string) => Result): Result =>
    call(...route(budget, now));
  return {
    decide: (budget, limit, now, request) => at(budget, now, (to, name) => to.decide(name, limit, now, request)),
    peek: (budget, limit, now, node) => at(budget, now, (to, name) => to.peek(name, limit, now, node)),
    refund: (budget, decision, now) => at(budget, now, (to, name) => to.refund(name, decision, now)),
    note: (budget, event, now) => at(budget, now, (to, name) => to.note?.(name, event, now)),
  };
}

export function isDeferred<T extends object>(outcome: T | Deferred<T>): outcome is Deferred<T> {
  return 'resume' in outcome;
}
