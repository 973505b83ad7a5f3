import { LIMITS } from '../catalogue/limits.ts';
import type { RequestClass } from '../deployment/attribute.ts';
import { SECOND, WINDOW } from '../deployment/deployment.ts';
import { type Kind, otherThan } from '../trace/exchange.ts';
import type { Arrival } from './arrival.ts';
import { isArrivalOf } from './arrival-class.ts';
import { type AnswerContext, type Behaviour, type Charge, conformingHeaders, type RateHeaders } from './behaviour.ts';
import { type Decision, type Deferred, isDeferred } from './mechanisms/limiter.ts';

/** A request that the server has decided on, and whose answer is not written yet. */
export interface Admission {
  readonly arrival: Arrival;
  /** The kind whose limit applies. */
  readonly kind: Kind;
  /** The status that it will have. The operation is carried out only if this is 200. */
  readonly status: number;
  /** Null if the request belongs to no budget. */
  readonly charge: Charge | null;
  readonly decision: Decision;
  /** When the server decided, in µs of the limiter's clock. */
  readonly decided: number;
  readonly refund: boolean;
}

/** Status and rate-limit headers of an answer: the part that the suite sees. */
export interface Answer {
  readonly status: number;
  readonly headers: RateHeaders;
  /** The server resets the connection instead of answering. */
  readonly breaksOff: boolean;
}

/**
 * Authentication, limits and rate-limit headers of a server, as a state machine to which the caller passes the time.
 * The HTTP server and the simulator run the same code, so a finding in one holds in the other.
 */
export interface Gate {
  /** Decides on a request when it arrives; `now` in µs of the server's clock. */
  admit(arrival: Arrival, now: number): Admission | Deferred<Admission>;
  /**
   * Writes the head of the answer when the operation is done. Must be called once for each admission, even if nobody
   * listens.
   */
  answer(admission: Admission, now: number): Answer;
}

export function createGate(behaviour: Behaviour): Gate {
  const { options, limiters } = behaviour;
  const clock = (now: number): number => (options.wholeSecondClock ? Math.floor(now / SECOND) * SECOND : now);

  function unused(limit: number, remaining: number, now: number): Decision {
    return { accepted: true, limit, remaining, reset: now + WINDOW, stamp: now };
  }

  function unauthorized(arrival: Arrival, now: number): Admission {
    const { kind } = arrival;
    const limit = LIMITS[kind];
    const charge = behaviour.anonymous(arrival);
    if (charge !== null) limiters[charge.counter].decide(charge.name, limit, now);
    const decision = unused(limit, options.anonymous === 'full' ? limit : 0, now);
    const status = behaviour.refusesUnknown(arrival, now) ? 429 : 401;
    return { arrival, kind, status, charge: null, decision, decided: now, refund: false };
  }

  function admitted(arrival: Arrival, kind: Kind, charge: Charge, decision: Decision, decided: number): Admission {
    const limiter = limiters[charge.counter];
    const outcome = decision.accepted ? 'let through' : behaviour.onRefusal(kind, arrival, decision);
    if (outcome === 'given back') limiter.refund(charge.name, decision, decided);
    const status = outcome === 'let through' ? arrival.due : 429;
    if (status === 429) {
      for (const also of behaviour.alsoCharged(arrival, kind)) {
        if (also.onRefusal) limiters[also.charge.counter].decide(also.charge.name, LIMITS[also.kind], decided);
      }
    }
    if (status === 400 || status === 404) limiter.note?.(charge.name, status, decided);
    if (status === 200) {
      const beside = behaviour.charge(arrival, otherThan(kind));
      if (beside.name !== charge.name)
        limiters[beside.counter].note?.(beside.name, { other: arrival.operation }, decided);
      const own = (requests: RequestClass): boolean => isArrivalOf(requests, arrival);
      limiter.note?.(charge.name, { own }, decided);
    }
    const refund = decision.accepted && behaviour.treatment(arrival, kind) === 'refunded';
    return { arrival, kind, status, charge, decision, decided, refund };
  }

  return {
    admit(arrival, now) {
      const time = clock(now);
      if (!behaviour.accepts(arrival)) return unauthorized(arrival, time);
      const kind = behaviour.kind(arrival);
      const limit = LIMITS[kind];
      const charge = behaviour.charge(arrival, kind);
      const limiter = limiters[charge.counter];
      const settled = (decision: Decision): Admission => admitted(arrival, kind, charge, decision, time);
      const exempt = behaviour.exempt(arrival, kind, time);
      if (exempt === 'unused') return settled(unused(limit, limit, time));
      if (typeof exempt === 'object' && exempt !== null) {
        return { arrival, kind, status: arrival.due, charge: null, decision: exempt, decided: time, refund: false };
      }
      const treatment = behaviour.treatment(arrival, kind);
      if (exempt !== null || treatment === 'bypassed' || treatment === 'checked') {
        const standing = limiter.peek(charge.name, limit, time);
        return settled({ ...standing, accepted: standing.accepted || exempt !== null || treatment === 'bypassed' });
      }
      const refusal = behaviour.refusedBesides(arrival, kind, time);
      if (refusal !== null) {
        const standing = { ...limiter.peek(charge.name, limit, time), accepted: false };
        return settled(refusal === 'untold' ? standing : { ...standing, remaining: 0, reset: refusal.reset });
      }
      for (const also of behaviour.alsoCharged(arrival, kind)) {
        if (also.onRefusal) continue;
        const beside = limiters[also.charge.counter].decide(also.charge.name, LIMITS[also.kind], time);
        if (also.refuses && !isDeferred(beside) && !beside.accepted) {
          return admitted(arrival, also.kind, also.charge, beside, time);
        }
      }
      const weight = behaviour.weight(arrival, kind);
      const follow = (outcome: Decision | Deferred<Decision>, at: number): Admission | Deferred<Admission> =>
        isDeferred(outcome)
          ? { wait: outcome.wait, resume: (later) => follow(outcome.resume(clock(later)), clock(later)) }
          : admitted(arrival, kind, charge, outcome, at);
      return follow(limiter.decide(charge.name, limit, time, { weight, connection: arrival.connection }), time);
    },
    answer({ arrival, kind, status, charge, decision, decided, refund }, now) {
      const answered = clock(now);
      const limiter = charge && limiters[charge.counter];
      if (refund && charge && limiter) limiter.refund(charge.name, decision, answered);
      const late = options.lateRead && charge && limiter && status !== 429;
      const read = late ? limiter.peek(charge.name, LIMITS[kind], answered, decision.node) : decision;
      const context: AnswerContext = {
        arrival,
        kind,
        status,
        budget: charge?.name ?? null,
        limit: read.limit,
        remaining: read.remaining,
        reset: read.reset,
        decided: late ? answered : decided,
        answered,
      };
      const headers = behaviour.headers(conformingHeaders(context, options), context);
      return { status: behaviour.status(context), headers, breaksOff: behaviour.breaksOff(context) };
    },
  };
}
