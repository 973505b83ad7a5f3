import type { Decision, Limiter, LimiterEvent, Particulars } from './limiter.ts';

/**
 * A window mechanism, defined by what happens to the state of one budget. Limits are those that are enforced; times are
 * µs of the server's clock.
 */
export interface Mechanics<State> {
  /** The state at `now`: the given one, updated, or a new one. */
  at(state: State | undefined, budget: string, limit: number, now: number): State;
  /** How many requests are left. May be a fraction or negative. */
  left(state: State, limit: number, now: number): number;
  count(state: State, limit: number, now: number, weight: number): void;
  /** Applies a refused request to the state. */
  refuse?(state: State, limit: number, now: number): void;
  note?(state: State, event: LimiterEvent, now: number): void;
  /** The time that the marker states. */
  reset(state: State, limit: number, now: number): number;
  stamp(state: State, now: number): number;
  refund(state: State, stamp: number): void;
  copy(state: State): State;
  /** Number of the window in its budget, from 1. Absent if the mechanism has no windows. */
  ordinal?(state: State): number;
  /** How many of the requests left are not included in Remaining. */
  hidden?(state: State): number;
}

/** Deviations of a limiter that do not depend on its mechanism. */
export interface Rules {
  /** The limit that is enforced in a window of a budget at some time, if it is not the stated one. */
  readonly enforced?: (stated: number, ordinal: number, now: number) => number;
  /** The first request after the end of a window is still decided by the old count. */
  readonly lateExpiry?: boolean;
}

/** The states of all budgets, and the operations on them that all limiters share. */
export class Budgets<State> {
  readonly mechanics: Mechanics<State>;
  readonly states = new Map<string, State>();
  readonly #enforced: NonNullable<Rules['enforced']>;

  constructor(mechanics: Mechanics<State>, { enforced = (stated) => stated }: Rules = {}) {
    this.mechanics = mechanics;
    this.#enforced = enforced;
  }

  /** The state of a budget at `now`, which is stored. */
  enter(budget: string, stated: number, now: number): State {
    const state = this.view(budget, stated, now);
    this.states.set(budget, state);
    return state;
  }

  /** The state of a budget at `now`, without beginning a new window. */
  view(budget: string, stated: number, now: number): State {
    return this.mechanics.at(this.states.get(budget), budget, stated, now);
  }

  limit(state: State, stated: number, now: number): number {
    return this.#enforced(stated, this.mechanics.ordinal?.(state) ?? 1, now);
  }

  accepts(state: State, stated: number, now: number): boolean {
    return this.mechanics.left(state, this.limit(state, stated, now), now) >= 1;
  }

  /** Counts the request if it is accepted, otherwise applies the refusal. */
  apply(state: State, stated: number, now: number, accepted: boolean, weight = 1): void {
    const limit = this.limit(state, stated, now);
    if (accepted) this.mechanics.count(state, limit, now, weight);
    else this.mechanics.refuse?.(state, limit, now);
  }

  /** The decision about a request, after it has been applied to the state. */
  decision(state: State, stated: number, now: number, accepted: boolean): Decision {
    const { mechanics } = this;
    const limit = this.limit(state, stated, now);
    const left = Math.max(0, Math.floor(mechanics.left(state, limit, now) - (mechanics.hidden?.(state) ?? 0)));
    const reset = mechanics.reset(state, limit, now);
    return { accepted, limit, remaining: accepted ? left : 0, reset, stamp: mechanics.stamp(state, now) };
  }

  /** Decides about a request by this state, and applies it. */
  take(state: State, stated: number, now: number, weight: number): Decision {
    const accepted = this.accepts(state, stated, now);
    this.apply(state, stated, now, accepted, weight);
    return this.decision(state, stated, now, accepted);
  }

  peek(budget: string, stated: number, now: number): Decision {
    const state = this.view(budget, stated, now);
    return this.decision(state, stated, now, this.accepts(state, stated, now));
  }

  refund(budget: string, { accepted, limit, stamp }: Decision, now: number): void {
    const state = this.enter(budget, limit, now);
    // A refused request was not counted, so the last one that was is given back.
    if (accepted) this.mechanics.refund(state, stamp);
    else this.mechanics.count(state, limit, now, -1);
  }
}

/** A limiter that decides one request at a time. */
export function limiterOf<State>(mechanics: Mechanics<State>, rules: Rules = {}): Limiter {
  const budgets = new Budgets(mechanics, rules);
  return {
    decide(budget, limit, now, { weight = 1 }: Particulars = {}) {
      const last = rules.lateExpiry ? budgets.states.get(budget) : undefined;
      const decision = budgets.take(last ?? budgets.enter(budget, limit, now), limit, now, weight);
      if (!last) return decision;
      const next = budgets.enter(budget, limit, now);
      return { ...decision, reset: mechanics.reset(next, budgets.limit(next, limit, now), now) };
    },
    peek: (budget, limit, now) => budgets.peek(budget, limit, now),
    refund: (budget, decision, now) => budgets.refund(budget, decision, now),
    note(budget, event, now) {
      const state = budgets.states.get(budget);
      if (state !== undefined) mechanics.note?.(state, event, now);
    },
    clear: () => budgets.states.clear(),
  };
}
