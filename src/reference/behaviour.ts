import { LIMITS } from '../catalogue/limits.ts';
import { type Choices, type Deployment, SECOND, type Treatment } from '../deployment/deployment.ts';
import type { Kind } from '../trace/exchange.ts';
import type { Arrival } from './arrival.ts';
import { deviate } from './deviate.ts';
import { limitersOf } from './limiters.ts';
import { markerText } from './marker.ts';
import type { AnyLimiter, Decision } from './mechanisms/limiter.ts';
import { onlyWith } from './only-with.ts';

/** The three headers as sent, with one entry for each field line, and any other headers. */
export interface RateHeaders {
  readonly limit: readonly string[];
  readonly remaining: readonly string[];
  readonly reset: readonly string[];
  readonly other: Readonly<Record<string, string>>;
}

/** What is known when the status and headers of an answer are written. Times are µs of the server's clock. */
export interface AnswerContext {
  readonly arrival: Arrival;
  /** The kind whose limit applies. */
  readonly kind: Kind;
  /** The status that is due, before a defect changes it. */
  readonly status: number;
  /** Null if the request belongs to no budget. */
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
  /** The kind whose limiter counts it. */
  readonly counter: Kind;
  readonly name: string;
}

/** A further budget that a request is charged to, and whether it refuses the request where it is spent. */
export interface AlsoCharged {
  readonly kind: Kind;
  readonly charge: Charge;
  readonly refuses: boolean;
  /** Only once the limit of the request has refused it. */
  readonly onRefusal?: true;
}

/**
 * How a server behaves, as functions. Each server gets new ones, because they hold its state. A deviation replaces some
 * of them.
 */
export interface Behaviour {
  readonly options: Choices;
  readonly limiters: Readonly<Record<Kind, AnyLimiter>>;
  /** Whether the server accepts the key of the request. If it does not, the answer is 401. */
  readonly accepts: (arrival: Arrival) => boolean;
  /** The kind whose limit applies. */
  readonly kind: (arrival: Arrival) => Kind;
  readonly charge: (arrival: Arrival, kind: Kind) => Charge;
  /** Whether the request is counted, depending on the status that it will be answered with. */
  readonly treatment: (arrival: Arrival, kind: Kind) => Treatment;
  /** How many requests an accepted request counts as. */
  readonly weight: (arrival: Arrival, kind: Kind) => number;
  /** Further budgets that a request is charged to, once each. */
  readonly alsoCharged: (arrival: Arrival, kind: Kind) => readonly AlsoCharged[];
  /** If the limiter ignores the request, what its headers say; null: the limiter counts it. */
  readonly exempt: (arrival: Arrival, kind: Kind, now: number) => 'of the others' | 'unused' | Decision | null;
  /**
   * Another limit that refuses the request: one that the answer states, or one that no header states (`untold`); null:
   * none does.
   */
  readonly refusedBesides: (arrival: Arrival, kind: Kind, now: number) => Decision | 'untold' | null;
  /**
   * What the server does with a refusal: it sends it, lets the request through, or also subtracts one from the count.
   */
  readonly onRefusal: (kind: Kind, arrival: Arrival, decision: Decision) => 'refused' | 'let through' | 'given back';
  /** Whether another limit refuses a request without an accepted key. */
  readonly refusesUnknown: (arrival: Arrival, now: number) => boolean;
  /** The budget that a request without an accepted key is charged to; null: none. */
  readonly anonymous: (arrival: Arrival) => Charge | null;
  readonly status: (context: AnswerContext) => number;
  readonly headers: (headers: RateHeaders, context: AnswerContext) => RateHeaders;
  /** Whether the server resets the connection instead of answering. */
  readonly breaksOff: (context: AnswerContext) => boolean;
  /** Path prefix of the API. */
  readonly prefix: string;
}

/** Moments in the life of a server, in µs of its own clock. */
export interface Times {
  readonly started: number;
  /** When the run that tests it begins. */
  readonly run: number;
}

/** The behaviour of a server that is this deployment. */
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
    refusesUnknown: () => false,
    onRefusal: () => 'refused',
    anonymous: () => null,
    status: ({ status }) => status,
    headers: (headers) => headers,
    breaksOff: () => false,
    prefix: '/api/v1',
  };
  let behaviour = conforming;
  for (const [index, deviation] of deviations.entries()) {
    const changed = { ...behaviour, ...deviate(deviation, behaviour, times.started + index, times.run) };
    behaviour = deviation.keys ? onlyWith(deviation.keys, changed, behaviour) : changed;
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

/** The state of the budget of the other kind that corresponds to the budget of this request. */
export function standing({ limiters, charge }: Behaviour, { arrival, answered }: AnswerContext, kind: Kind): Decision {
  const { counter, name } = charge(arrival, kind);
  return limiters[counter].peek(name, LIMITS[kind], answered);
}
