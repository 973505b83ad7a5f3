import type { Kind } from '../trace/exchange.ts';
import type { Arrival, Due } from './arrival.ts';
import { type MarkerOptions, markerText } from './marker.ts';
import { anchoredLimiter } from './mechanisms/anchored.ts';
import { clockPhase, firstRequestPhase, gridLimiter, hashPhase, type Phase, sharedPhase } from './mechanisms/grid.ts';
import { type AnyLimiter, LIMITS, type Limiter } from './mechanisms/limiter.ts';
import { type CounterReset, type CounterRounding, slidingCounterLimiter } from './mechanisms/sliding-counter.ts';
import { type LogReset, slidingLogLimiter } from './mechanisms/sliding-log.ts';

/**
 * What a limiter does with a request that fails for another reason than its budget.
 *
 * - `counted`: as any other
 * - `checked`: refused where the budget is spent, and not counted else
 * - `bypassed`: never counted and never refused
 * - `refunded`: counted when it arrives, and taken off again when it is answered
 */
export type Treatment = 'counted' | 'checked' | 'bypassed' | 'refunded';

export type PhaseName = 'clock' | 'process' | 'key-hash' | 'first-request';

/** An admissible mechanism with its options (`mechanisms/`). */
export type Mechanism =
  | { readonly name: 'grid'; readonly phase: PhaseName }
  | { readonly name: 'anchored'; readonly wholeSecond: boolean }
  | { readonly name: 'log'; readonly logRefused: boolean; readonly reset: LogReset }
  | {
      readonly name: 'counter';
      readonly phase: PhaseName;
      readonly rounding: CounterRounding;
      readonly latch: boolean;
      readonly reanchor: boolean;
      readonly countRefused?: boolean;
      readonly reset?: CounterReset;
    };

/** Everything that the specification leaves open and that a conforming server has to choose. */
export interface VariantOptions {
  readonly mechanism: Mechanism;
  readonly marker: MarkerOptions;
  /** By the status that the request would have had. */
  readonly treatment: Readonly<Record<Due, Treatment>>;
  /** Whether refused requests count in a fixed window, which only refunds make visible. */
  readonly countRefused: boolean;
  /** Whether Remaining and Reset are read again when the answer is written. */
  readonly lateRead: boolean;
  /** Whether the limiter's clock ticks in whole seconds. */
  readonly wholeSecondClock: boolean;
  /** Server clock minus true time, in seconds. */
  readonly skew: number;
  /** What a 401 says: a whole budget, or none. */
  readonly anonymous: 'full' | 'zero';
  readonly dateHeader: boolean;
  readonly retryAfter: boolean;
}

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
  /** The status due before a defect changes it. */
  readonly status: number;
  readonly budget: string | null;
  readonly remaining: number;
  readonly reset: number;
  readonly decided: number;
  readonly answered: number;
}

/** A server's conduct as functions, made anew for each server since they hold its state. A defect replaces some of them. */
export interface Behaviour {
  readonly options: VariantOptions;
  readonly limiter: AnyLimiter;
  /** Whether the key presented, if any, is accepted; if not, the answer is 401. */
  readonly accepts: (arrival: Arrival) => boolean;
  /** The limit that is enforced. */
  readonly limit: (kind: Kind) => number;
  /** Names the budget that an accepted request is charged to. */
  readonly budget: (arrival: Arrival) => string;
  /** Budgets that an accepted request is charged to besides its own, once each. */
  readonly extraCharges: (arrival: Arrival) => readonly string[];
  /** Names the budget that a request without an accepted key is charged to; null: none. */
  readonly anonymousBudget: (arrival: Arrival) => string | null;
  readonly status: (context: AnswerContext) => number;
  readonly headers: (headers: RateHeaders, context: AnswerContext) => RateHeaders;
  /** Path prefix of the API. */
  readonly prefix: string;
}

/** The conforming conduct with these options. `started` is the server's start in µs of its own clock. */
export function conformingBehaviour(options: VariantOptions, started: number): Behaviour {
  return {
    options,
    limiter: limiterOf(options, started),
    accepts: ({ presentation: { way, holder } }) =>
      holder !== null && holder.role !== 'revoked' && (way === 'x-api-key' || way === 'bearer'),
    limit: (kind) => LIMITS[kind],
    budget: ({ presentation, kind }) => `${presentation.holder?.name ?? 'anonymous'} ${kind}`,
    extraCharges: () => [],
    anonymousBudget: () => null,
    status: ({ status }) => status,
    headers: (headers) => headers,
    prefix: '/api/v1',
  };
}

/** The three headers as a conforming server writes them. */
export function conformingHeaders(context: AnswerContext, options: VariantOptions): RateHeaders {
  const { arrival, remaining, reset, decided, answered, status } = context;
  const retryAfter = Math.max(1, Math.ceil((reset - answered) / 1_000_000));
  return {
    limit: [`${LIMITS[arrival.kind]}`],
    remaining: [`${remaining}`],
    reset: [markerText(reset, decided, answered, options.marker)],
    other: options.retryAfter && status === 429 ? { 'retry-after': `${retryAfter}` } : {},
  };
}

function limiterOf({ mechanism, countRefused }: VariantOptions, started: number): Limiter {
  switch (mechanism.name) {
    case 'grid':
      return gridLimiter({ phase: phaseOf(mechanism.phase, started), countRefused });
    case 'anchored':
      return anchoredLimiter({ wholeSecond: mechanism.wholeSecond, countRefused });
    case 'log':
      return slidingLogLimiter(mechanism);
    case 'counter':
      return slidingCounterLimiter({ ...mechanism, phase: phaseOf(mechanism.phase, started) });
  }
}

function phaseOf(name: PhaseName, started: number): Phase {
  switch (name) {
    case 'clock':
      return clockPhase;
    case 'process':
      return sharedPhase(started);
    case 'key-hash':
      return hashPhase;
    case 'first-request':
      return firstRequestPhase;
  }
}
