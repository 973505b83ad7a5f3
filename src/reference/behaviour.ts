import { LIMITS } from '../catalogue/limits.ts';
import { type Choices, type Deployment, SECOND, type Treatment } from '../deployment/deployment.ts';
import type { Kind } from '../trace/exchange.ts';
import type { Arrival } from './arrival.ts';
import { deviate } from './deviate.ts';
import { limitersOf } from './limiters.ts';
import { markerText } from './marker.ts';
import type { AnyLimiter, Decision } from './mechanisms/limiter.ts';

/** The three headers as they leave, one entry per field line, and any others. */
export interface RateHeaders {
  readonly limit: readonly string[];
  readonly remaining: readonly string[];
  readonly reset: readonly string[];
  readonly other: Readonly<Record<string, string>>;
}

/** What is known of an answer when its status and headers are written. Times are µs of the server's clock. */
export interface AnswerContext {
  readonly arrival: Arrival;
  /** Whose limit applies. */
  readonly kind: Kind;
  /** The status due before a defect changes it. */
  readonly status: number;
  /** Null where the request belongs to no budget. */
  readonly budget: string | null;
  /** The limit that is enforced. */
  readonly limit: number;
  readonly remaining: number;
  readonly reset: number;
  readonly decided: number;
  readonly answered: number;
}

/** The budget that a request is charged to. */
export interface Charge {
  /** Whose limiter counts it. */
  readonly counter: Kind;
  readonly name: string;
}

/** A server's conduct as functions, made anew for each server since they hold its state. A deviation replaces some of them. */
export interface Behaviour {
  readonly options: Choices;
  readonly limiters: Readonly<Record<Kind, AnyLimiter>>;
  /** Whether the key presented, if any, is accepted; if not, the answer is 401. */
  readonly accepts: (arrival: Arrival) => boolean;
  /** The kind whose limit applies. */
  readonly kind: (arrival: Arrival) => Kind;
  readonly charge: (arrival: Arrival, kind: Kind) => Charge;
  /** Whether a request is counted, by what will be answered. */
  readonly treatment: (arrival: Arrival, kind: Kind) => Treatment;
  /** What an accepted request costs. */
  readonly weight: (arrival: Arrival, kind: Kind) => number;
  /** Budgets that an accepted request is charged to besides its own, once each. */
  readonly alsoCharged: (arrival: Arrival, kind: Kind) => readonly { readonly kind: Kind; readonly charge: Charge }[];
  /** Whether the limiter leaves the request out, and what its headers say then; null: it does not. */
  readonly exempt: (arrival: Arrival, kind: Kind) => 'of the others' | 'unused' | null;
  /** What refuses the request besides the limits of clause 8: a limit that its answer tells of, or one of which no header tells; null: nothing. */
  readonly refusedBesides: (arrival: Arrival, kind: Kind, now: number) => Decision | 'untold' | null;
  /** What becomes of a refusal: it stands, it is let through, or it takes one off the count. */
  readonly onRefusal: (kind: Kind) => 'refused' | 'let through' | 'given back';
  /** The budget that a request without an accepted key is charged to; null: none. */
  readonly anonymous: (arrival: Arrival) => Charge | null;
  readonly status: (context: AnswerContext) => number;
  readonly headers: (headers: RateHeaders, context: AnswerContext) => RateHeaders;
  /** Whether the connection is reset in place of the answer. */
  readonly breaksOff: (context: AnswerContext) => boolean;
  /** Path prefix of the API. */
  readonly prefix: string;
}

/** When a server lives, in µs of its own clock. */
export interface Times {
  readonly started: number;
  /** When the run that looks at it begins. */
  readonly run: number;
}

/** How a server behaves that is this deployment. */
export function behaviourOf(deployment: Deployment, times: Times): Behaviour {
  const { choices, deviations } = deployment;
  const conforming: Behaviour = {
    options: choices,
    limiters: limitersOf(deployment, times),
    accepts: ({ presentation: { way, holder } }) =>
      holder !== null && holder.role !== 'revoked' && (way === 'x-api-key' || way === 'bearer'),
    kind: ({ kind }) => kind,
    charge: ({ presentation }, kind) => ({
      counter: kind,
      name: `${presentation.holder?.name ?? 'anonymous'} ${kind}`,
    }),
    treatment: ({ due }) => choices.treatment[due],
    weight: () => 1,
    alsoCharged: () => [],
    exempt: () => null,
    refusedBesides: () => null,
    onRefusal: () => 'refused',
    anonymous: () => null,
    status: ({ status }) => status,
    headers: (headers) => headers,
    breaksOff: () => false,
    prefix: '/api/v1',
  };
  let behaviour = conforming;
  for (const [index, deviation] of deviations.entries()) {
    behaviour = { ...behaviour, ...deviate(deviation, behaviour, times.started + index) };
  }
  return behaviour;
}

/** The three headers as a conforming server writes them. */
export function conformingHeaders(context: AnswerContext, options: Choices): RateHeaders {
  const { kind, remaining, reset, decided, answered, status } = context;
  const retryAfter = Math.max(1, Math.ceil((reset - answered) / SECOND));
  return {
    limit: [`${LIMITS[kind]}`],
    remaining: [`${remaining}`],
    reset: [markerText(reset, decided, answered, options.marker)],
    other: options.retryAfter && status === 429 ? { 'retry-after': `${retryAfter}` } : {},
  };
}

/** How the budget of a request stands that is charged as this one is, for the other kind. */
export function standing({ limiters, charge }: Behaviour, { arrival, answered }: AnswerContext, kind: Kind): Decision {
  const { counter, name } = charge(arrival, kind);
  return limiters[counter].peek(name, LIMITS[kind], answered);
}
