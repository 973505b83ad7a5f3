import { LIMITS, WINDOW_S } from '../catalogue/limits.ts';
import { budgetKey, type Exchange, isSuccess, type Kind, NO_HEADERS } from '../trace/exchange.ts';
import type { Intent } from '../trace/trace.ts';
import type { MarkerReading } from './marker-reading.ts';

/** One minute, the window of clause 8, in µs. */
export const WINDOW = WINDOW_S * 1e6;

/**
 * How long after sending a request without an answer may still be counted, in µs. The judge assumes that no server
 * processes a request later than two windows after the client gave up.
 */
export const MOST_PENDING = 2 * WINDOW;

/** How long after its answer a failed request may be refunded, in µs. */
export const REFUND_DELAY = 2_000_000;

/**
 * How long after its answer a request that counts only while it is under way may still count, in µs. What gives it back
 * runs when the answer is written.
 */
export const RELEASE_DELAY = 500_000;

/**
 * What became of a request in its budget. Some outcomes exist only under a hypothesis about a deviation.
 *
 * - `accepted`: it succeeded, so it was counted
 * - `refused`: 429
 * - `failed`: an answer (400, 403, 404, 500 …) that a deployment may count, not count, or refund; see `Event.group`
 * - `foreign` (hypothesis): a request of another budget that was counted in this one
 * - `background` (hypothesis): a request of others that was counted in this one, at least: they may have sent more
 * - `uncounted` (hypothesis): it succeeded and was not counted in the budget of its headers
 * - `released` (hypothesis): it succeeded and was counted only until it was answered
 * - `returned` (hypothesis): it succeeded and gave one back to the budget
 * - `returnable` (hypothesis): it failed, and gave one back or not; its headers are not judged
 * - `doubtful` (hypothesis): it succeeded, and was counted or not; its headers are judged
 * - `extra` (hypothesis): one more count of a request that succeeded, or none; it has no answer of its own
 * - `unclear`: no answer, or one that shows nothing: it may have been counted, and its headers are not judged
 */
export type Outcome =
  | 'accepted'
  | 'refused'
  | 'failed'
  | 'foreign'
  | 'background'
  | 'uncounted'
  | 'released'
  | 'returned'
  | 'returnable'
  | 'doubtful'
  | 'extra'
  | 'unclear';

/** Whether a request was certainly counted in this budget, but was not sent to it. */
export function isAnothers(outcome: Outcome): boolean {
  return outcome === 'foreign' || outcome === 'background';
}

/** One request of a budget, as the oracle sees it. The limiter decided within `[from, to]` (µs of the run's clock). */
export interface Event {
  readonly exchange: Exchange;
  readonly from: number;
  readonly to: number;
  /** The latest time at which it was counted (µs), if under a hypothesis this is not the decision; otherwise `to`. */
  readonly countedBy?: number;
  readonly outcome: Outcome;
  /**
   * For `failed`: the class of requests that a deployment treats alike, such as `404 getCategory (missing)`; otherwise
   * empty.
   */
  readonly group: string;
  /** `X-RateLimit-Remaining`; null if it is missing or unusable. */
  readonly remaining: number | null;
  /**
   * `X-RateLimit-Reset` in µs of the run's clock, if the server's clock was right; null if it is missing or unusable.
   */
  readonly reset: number | null;
}

/** The events of one budget (key and kind) in order of `from`. */
export interface History {
  readonly key: string;
  readonly kind: Kind;
  /** Requests per window. */
  readonly limit: number;
  /**
   * The number from which Remaining counts down: the limit, unless a deployment enforces another limit than it shows.
   */
  readonly shown: number;
  readonly events: readonly Event[];
  /** The precision of the marker, in µs: usually its unit; null if unknown. */
  readonly unit: number | null;
  /** Server clock minus client clock (µs) according to the `Date` headers; infinite if there are none. */
  readonly offset: Range;
  /**
   * When the history ends (µs of the run's clock): later requests may have been counted, and are not among the events.
   */
  readonly until: number;
  /** How many requests had been counted before the first event; absent if the key was unused. See `prior-use.ts`. */
  readonly prior?: Range;
  /**
   * Whether requests of others may have been counted at any time. Then a low Remaining or an early refusal shows
   * nothing; only too many accepted requests or too high a Remaining do. Absent if nobody else used the key.
   */
  readonly shared?: boolean;
  /**
   * Whether, under a hypothesis, requests under way at the same time do not see each other's count. Then a window may
   * have accepted more than the limit. Absent if one step decides and counts.
   */
  readonly racing?: boolean;
  /** Absent: windows are begun only by requests of the budget, if by any. */
  readonly beside?: Beside;
}

/** A request that may begin a window, and when it was sent and answered, in µs of the run's clock. */
export interface Opener {
  readonly from: number;
  readonly to: number;
  /** It is certainly counted, so a window is open at the latest when it is. */
  readonly certain: boolean;
}

/**
 * Requests of other budgets that may begin a window of this one: those of the same key, and all; null: too many to try.
 */
export interface Beside {
  readonly ofKey: readonly Opener[];
  readonly ofAll: readonly Opener[] | null;
}

export interface Range {
  readonly low: number;
  readonly high: number;
}

/** Server clock minus client clock (µs), in the middle of its bounds; 0 if nothing bounds it. */
export function likelyOffset({ low, high }: Range): number {
  return Number.isFinite(low + high) ? (low + high) / 2 : 0;
}

/** The limit of clause 8 in requests per window. */
export function limitOf(kind: Kind): number {
  return LIMITS[kind];
}

const INTEGER = /^-?\d{1,15}$/;

/**
 * The single integer in a header's field lines, or null. Spaces around it do not belong to the value (RFC 9110, 5.5).
 */
export function singleInteger(lines: readonly string[]): number | null {
  const text = lines.length === 1 ? lines[0]?.trim() : undefined;
  return text !== undefined && INTEGER.test(text) ? Number(text) : null;
}

function outcomeOf(exchange: Exchange): Outcome {
  const { status, fault } = exchange;
  if (status === null || exchange.answered === null) return 'unclear';
  // A bad key was taken for a good one: it is unknown whose budget it used.
  if (fault === 'bad-key' || exchange.operation === null) return 'unclear';
  if (fault === 'unstated' && !(isRemoval(exchange) && (status === 429 || isSuccess(status)))) return 'unclear';
  // A key that was not accepted for any reason: the answer belongs to no budget, but the request may have been counted.
  if (status === 401) return 'unclear';
  if (status === 429) return 'refused';
  if (isSuccess(status)) return 'accepted';
  // A request that fails without a fault may have failed before or after it was counted, differently each time.
  if (fault === 'none' && ![400, 403, 404].includes(status)) return 'unclear';
  return status >= 400 ? 'failed' : 'unclear';
}

/**
 * Whether it removes what the run has created. It is `unstated` because the thing may be gone; but if it succeeds, or
 * is refused, it is a request like any other.
 */
function isRemoval({ step, variation }: Exchange): boolean {
  return step === 'remove' && variation === null;
}

/** Whether the exchange can have used a budget: not if no connection was made. */
export function drawsOnBudget(exchange: Exchange): boolean {
  return exchange.failure !== 'refused' && exchange.failure !== 'dns';
}

/** A request that may begin a window of another budget; null: it begins none. */
export function openerOf(exchange: Exchange): Opener | null {
  const outcome = outcomeOf(exchange);
  if (outcome === 'refused' || !drawsOnBudget(exchange)) return null;
  const to = exchange.answered ?? exchange.sent + MOST_PENDING;
  return { from: exchange.sent, to, certain: outcome === 'accepted' };
}

/** A Remaining that was counted down below 0 and written without a sign, in 32 bits, as what it is. */
function signed(remaining: number | null): number | null {
  return remaining !== null && remaining >= 2 ** 31 && remaining < 2 ** 32 ? remaining - 2 ** 32 : remaining;
}

/** The event of an exchange; `marker` converts its Reset header to the run's clock. */
export function toEvent(exchange: Exchange, marker: MarkerReading): Event {
  const outcome = outcomeOf(exchange);
  const judged = outcome !== 'unclear';
  return {
    exchange,
    from: exchange.sent,
    to: exchange.answered ?? exchange.sent + MOST_PENDING,
    outcome,
    group: outcome === 'failed' ? `${exchange.status} ${exchange.operation ?? ''} (${exchange.fault})` : '',
    remaining: judged ? signed(singleInteger(exchange.headers.remaining)) : null,
    reset: judged ? marker.read(exchange.headers.reset, budgetKey(exchange)) : null,
  };
}

/** An exchange for a request that was under way when the run was cut short: it may have been counted. */
export function unansweredExchange(intent: Intent): Exchange {
  return { ...intent, answered: null, status: null, failure: 'aborted', headers: NO_HEADERS };
}

/** The range of what is not known at all. */
export const UNBOUNDED: Range = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/**
 * Clock of the markers minus client clock (µs), where `offset` is that of the server's clock. Unbounded if the markers
 * have a zero of their own.
 */
export function clocksOf({ ownZero }: Pick<MarkerReading, 'ownZero'>, offset: Range): Range {
  return ownZero ? UNBOUNDED : offset;
}

/** The history of one budget. `exchanges` are all of that key and kind, in any order. */
export function makeHistory(
  exchanges: readonly Exchange[],
  budget: { readonly key: string; readonly kind: Kind; readonly until?: number; readonly beside?: Beside },
  marker: MarkerReading,
  offset: Range,
): History {
  const events = exchanges.filter(drawsOnBudget).map((exchange) => toEvent(exchange, marker));
  events.sort((one, other) => one.from - other.from || one.exchange.seq - other.exchange.seq);
  const limit = limitOf(budget.kind);
  // The history of a budget is made when it is read. Copying all properties would read it.
  const { key, kind, until = Number.POSITIVE_INFINITY, beside } = budget;
  const clocks = clocksOf(marker, offset);
  return {
    key,
    kind,
    limit,
    shown: limit,
    events,
    unit: marker.unit,
    offset: clocks,
    until,
    ...(beside && { beside }),
  };
}

/** Whether the limiter let it through, so that no other rule refused it: also if it may not have been counted. */
export function isLetThrough({ outcome }: Event): boolean {
  return outcome === 'accepted' || outcome === 'doubtful';
}
