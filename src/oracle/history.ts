import { LIMITS, WINDOW_S } from '../catalogue/limits.ts';
import { type Exchange, type Kind, NO_HEADERS } from '../trace/exchange.ts';
import type { Intent } from '../trace/trace.ts';
import type { MarkerReading } from './marker.ts';

/** One minute, the window of clause 8, in µs. */
export const WINDOW = WINDOW_S * 1e6;

/**
 * How long after it was sent a request without an answer may still be counted, in µs. A server that takes up a request
 * later than two windows after the client gave it up is outside what is assumed.
 */
export const MOST_PENDING = 2 * WINDOW;

/** How long after its answer the refund of a failed request may take effect, in µs. */
export const REFUND_DELAY = 2_000_000;

/**
 * What became of a request, as far as its budget is concerned.
 *
 * - `accepted`: it succeeded, so it was counted
 * - `refused`: 429
 * - `failed`: an answer (400, 403, 404, 500 …) that a deployment may count, not count, or refund; see `Event.group`
 * - `foreign`: a request of another budget that is supposed, to test a cause, to have been taken off this one
 * - `uncounted`: it succeeded and is supposed, to test a cause, to have taken nothing off the budget that its headers tell of
 * - `released`: it succeeded and is supposed, to test a cause, to have been counted only until it had been answered
 * - `returned`: it succeeded and is supposed, to test a cause, to have given one back to the budget
 * - `returnable`: it failed, and is supposed, to test a cause, to have given one back or not; its headers are not judged
 * - `doubtful`: it succeeded and is supposed, to test a cause, to have been counted or not; its headers are judged
 * - `unclear`: no answer, or one that tells nothing: it may have been counted, and its headers are not judged
 */
export type Outcome =
  | 'accepted'
  | 'refused'
  | 'failed'
  | 'foreign'
  | 'uncounted'
  | 'released'
  | 'returned'
  | 'returnable'
  | 'doubtful'
  | 'unclear';

/** One request of a budget as the oracle sees it. The decision of the limiter fell in `[from, to]` (µs of the run's clock). */
export interface Event {
  readonly exchange: Exchange;
  readonly from: number;
  readonly to: number;
  /** The latest that it was counted, where it is supposed, to test a cause, that this was not when it was decided (µs); else `to`. */
  readonly countedBy?: number;
  readonly outcome: Outcome;
  /** For `failed`: the class that a deployment treats alike, such as `404 getCategory (missing)`; else empty. */
  readonly group: string;
  /** `X-RateLimit-Remaining`; null where it is absent or unusable. */
  readonly remaining: number | null;
  /** `X-RateLimit-Reset` in µs of the run's clock, were the server's clock right; null where it is absent or unusable. */
  readonly reset: number | null;
}

/** The events of one budget (key and kind) in order of `from`. */
export interface History {
  readonly key: string;
  readonly kind: Kind;
  /** Requests per window. */
  readonly limit: number;
  /** What Remaining counts down from: the same, save where a deployment enforces another limit than it shows. */
  readonly shown: number;
  readonly events: readonly Event[];
  /** The unit of the marker, in µs; null where it could not be told. */
  readonly unit: number | null;
  /** Server clock less client clock (µs) as the `Date` headers tell it; infinite where there are none. */
  readonly offset: Range;
  /** When it ends (µs of the run's clock): requests that came later may have been counted, and none of them is among the events. */
  readonly until: number;
  /** How many requests had been counted before the first event; left out where the key was quiet. See `prior-use.ts`. */
  readonly prior?: Range;
  /**
   * Whether requests of others may have been counted at any time: then nothing shows that too few were left or that a refusal
   * came too early, and what is left is that too many were let through or too much was left. Left out where nobody else
   * used the key.
   */
  readonly shared?: boolean;
  /**
   * Whether requests are supposed, to test a cause, not to see each other's count while they are under way: then more than the limit may have
   * been let into a window. Left out where one step decides and counts.
   */
  readonly racing?: boolean;
}

export interface Range {
  readonly low: number;
  readonly high: number;
}

/** The limit of clause 8 in requests per window. */
export function limitOf(kind: Kind): number {
  return LIMITS[kind];
}

const INTEGER = /^-?\d{1,15}$/;

/** The single integer of a header's field lines, or null. Spaces around it are no part of a field value (RFC 9110, 5.5). */
export function singleInteger(lines: readonly string[]): number | null {
  const text = lines.length === 1 ? lines[0]?.trim() : undefined;
  return text !== undefined && INTEGER.test(text) ? Number(text) : null;
}

function outcomeOf(exchange: Exchange): Outcome {
  const { status, fault } = exchange;
  if (status === null || exchange.answered === null) return 'unclear';
  // A bad key that was taken for a good one: whose budget it drew on is not known.
  if (fault === 'unstated' || fault === 'bad-key' || exchange.operation === null) return 'unclear';
  // A key that was not accepted, whatever the reason: the answer belongs to no budget, though it may have been counted.
  if (status === 401) return 'unclear';
  if (status === 429) return 'refused';
  if (status >= 200 && status < 300) return 'accepted';
  // What fails unprovoked may have failed before or after it was counted, one time so and one time otherwise.
  if (fault === 'none' && ![400, 403, 404].includes(status)) return 'unclear';
  return status >= 400 ? 'failed' : 'unclear';
}

/** Whether the exchange can have drawn on a budget at all: not where no connection came about. */
export function drawsOnBudget(exchange: Exchange): boolean {
  return exchange.failure !== 'refused' && exchange.failure !== 'dns';
}

/** An event of an exchange; `marker` reads its Reset header into the run's clock. */
export function toEvent(exchange: Exchange, marker: MarkerReading): Event {
  const outcome = outcomeOf(exchange);
  const judged = outcome !== 'unclear';
  return {
    exchange,
    from: exchange.sent,
    to: exchange.answered ?? exchange.sent + MOST_PENDING,
    outcome,
    group: outcome === 'failed' ? `${exchange.status} ${exchange.operation ?? ''} (${exchange.fault})` : '',
    remaining: judged ? singleInteger(exchange.headers.remaining) : null,
    reset: judged ? marker.read(exchange.headers.reset) : null,
  };
}

/** An exchange for a request that was about to be sent when the run was cut short: it may have been counted. */
export function unansweredExchange(intent: Intent): Exchange {
  return { ...intent, answered: null, status: null, failure: 'aborted', headers: NO_HEADERS };
}

/** The history of one budget. `exchanges` are all of that key and kind, in any order. */
export function makeHistory(
  exchanges: readonly Exchange[],
  budget: { readonly key: string; readonly kind: Kind; readonly until?: number },
  marker: MarkerReading,
  offset: Range,
): History {
  const events = exchanges.filter(drawsOnBudget).map((exchange) => toEvent(exchange, marker));
  events.sort((one, other) => one.from - other.from || one.exchange.seq - other.exchange.seq);
  const limit = limitOf(budget.kind);
  // A budget makes its own history when it is asked for it: copied whole, it would.
  const { key, kind, until = Number.POSITIVE_INFINITY } = budget;
  return { key, kind, limit, shown: limit, events, unit: marker.unit, offset, until };
}
