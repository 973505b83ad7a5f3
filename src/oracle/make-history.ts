import { budgetKey, type Exchange, isSuccess, type Kind, NO_HEADERS } from '../trace/exchange.ts';
import type { Intent } from '../trace/trace.ts';
import {
  type Beside,
  type Event,
  type History,
  limitOf,
  type Opener,
  type Outcome,
  type Range,
  UNBOUNDED,
  WINDOW,
} from './history.ts';
import type { MarkerReading } from './marker-reading.ts';
import { singleInteger } from './single-integer.ts';

/**
 * How long after sending a request without an answer may still be counted, in µs. The judge assumes that no server
 * processes a request later than two windows after the client gave up.
 */
const MOST_PENDING = 2 * WINDOW;

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
    remaining: judged ? atLeastZero(statedRemaining(exchange)) : null,
    reset: judged ? marker.read(exchange.headers.reset, budgetKey(exchange)) : null,
  };
}

/**
 * The Remaining that an answer states, null if it is no integer. One that was counted down below 0 and written without
 * a sign, in 32 bits, is read as what it is.
 */
export function statedRemaining({ headers }: Pick<Exchange, 'headers'>): number | null {
  const remaining = singleInteger(headers.remaining);
  return remaining !== null && remaining >= 2 ** 31 && remaining < 2 ** 32 ? remaining - 2 ** 32 : remaining;
}

/** Below 0, nothing is left: that it says less is wrong by itself, and shows nothing of what was counted. */
function atLeastZero(remaining: number | null): number | null {
  return remaining === null ? null : Math.max(0, remaining);
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

/** An exchange for a request that was under way when the run was cut short: it may have been counted. */
export function unansweredExchange(intent: Intent): Exchange {
  return { ...intent, answered: null, status: null, failure: 'aborted', headers: NO_HEADERS };
}

/**
 * Clock of the markers minus client clock (µs), where `offset` is that of the server's clock. Unbounded if the markers
 * have a zero of their own.
 */
export function clocksOf({ ownZero }: Pick<MarkerReading, 'ownZero'>, offset: Range): Range {
  return ownZero ? UNBOUNDED : offset;
}
