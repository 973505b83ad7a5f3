import type { Arrival } from './arrival.ts';
import { type AnswerContext, type Behaviour, conformingHeaders, type RateHeaders } from './behaviour.ts';
import { type Decision, type Deferred, isDeferred, SECOND, WINDOW } from './mechanisms/limiter.ts';

/** A request that the gate has decided on and that waits for its answer. */
export interface Admission {
  readonly arrival: Arrival;
  /** The status that it will have. The operation is carried out only where this is 200. */
  readonly status: number;
  readonly budget: string | null;
  readonly decision: Decision;
  /** When it was decided, in µs of the limiter's clock. */
  readonly decided: number;
  readonly refund: boolean;
}

/** Status and rate-limit headers of an answer: what the suite sees of it. */
export interface Answer {
  readonly status: number;
  readonly headers: RateHeaders;
}

/**
 * Authentication, limits and rate-limit headers of a server, as a state machine with injected time. The HTTP server and
 * the simulator run this same code: what is found in one holds in the other.
 */
export interface Gate {
  /** Decides on a request when it arrives; `now` in µs of the server's clock. */
  admit(arrival: Arrival, now: number): Admission | Deferred<Admission>;
  /** Writes the answer's head when the operation is done. To be called once per admission, whoever still listens. */
  answer(admission: Admission, now: number): Answer;
}

export function createGate(behaviour: Behaviour): Gate {
  const { options, limiter } = behaviour;
  const clock = (now: number): number => (options.wholeSecondClock ? Math.floor(now / SECOND) * SECOND : now);

  function unauthorized(arrival: Arrival, now: number): Admission {
    const charged = behaviour.anonymousBudget(arrival);
    if (charged !== null) limiter.decide(charged, behaviour.limit(arrival.kind), now);
    const limit = behaviour.limit(arrival.kind);
    const remaining = options.anonymous === 'full' ? limit : 0;
    const decision = { accepted: true, limit, remaining, reset: now + WINDOW, stamp: now };
    return { arrival, status: 401, budget: null, decision, decided: now, refund: false };
  }

  function admission(arrival: Arrival, budget: string, decision: Decision, decided: number): Admission {
    const status = decision.accepted ? arrival.due : 429;
    const refund = decision.accepted && options.treatment[arrival.due] === 'refunded';
    return { arrival, status, budget, decision, decided, refund };
  }

  function follow(arrival: Arrival, budget: string, step: Deferred<Decision>): Deferred<Admission> {
    return {
      wait: step.wait,
      resume(now) {
        const outcome = step.resume(clock(now));
        return isDeferred(outcome) ? follow(arrival, budget, outcome) : admission(arrival, budget, outcome, clock(now));
      },
    };
  }

  return {
    admit(arrival, now) {
      const time = clock(now);
      if (!behaviour.accepts(arrival)) return unauthorized(arrival, time);
      const budget = behaviour.budget(arrival);
      const limit = behaviour.limit(arrival.kind);
      const treatment = options.treatment[arrival.due];
      if (treatment === 'bypassed' || treatment === 'checked') {
        const standing = limiter.peek(budget, limit, time);
        const accepted = standing.accepted || treatment === 'bypassed';
        return admission(arrival, budget, { ...standing, accepted }, time);
      }
      for (const extra of behaviour.extraCharges(arrival)) limiter.decide(extra, limit, time);
      const outcome = limiter.decide(budget, limit, time);
      return isDeferred(outcome) ? follow(arrival, budget, outcome) : admission(arrival, budget, outcome, time);
    },
    answer({ arrival, status, budget, decision, decided, refund }, now) {
      const answered = clock(now);
      if (refund && budget !== null) limiter.refund(budget, decision, answered);
      const late = options.lateRead && budget !== null && status !== 429;
      const read = late ? limiter.peek(budget, decision.limit, answered) : decision;
      const context: AnswerContext = {
        arrival,
        status,
        budget,
        remaining: read.remaining,
        reset: read.reset,
        decided: late ? answered : decided,
        answered,
      };
      const headers = behaviour.headers(conformingHeaders(context, options), context);
      return { status: behaviour.status(context), headers };
    },
  };
}
