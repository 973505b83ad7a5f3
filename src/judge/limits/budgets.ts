import { LIMITS } from '../../catalogue/limits.ts';
import type { Beside, History, Opener, Range } from '../../oracle/history.ts';
import { makeHistory, openerOf, unansweredExchange } from '../../oracle/make-history.ts';
import { inferMarkers } from '../../oracle/marker.ts';
import type { MarkerReading, Markers } from '../../oracle/marker-reading.ts';
import { dateOffset, markerOffset, OLDEST_DATE, offsetWithin } from '../../oracle/server-clock.ts';
import { singleInteger } from '../../oracle/single-integer.ts';
import type { Condensed } from '../../trace/condensed.ts';
import { budgetKey, type Exchange, type Kind, otherThan } from '../../trace/exchange.ts';
import type { Trace } from '../../trace/trace.ts';
import { firstDelivery } from './deliveries.ts';

/** Everything from which the limits of one trace are judged. */
export interface Evidence {
  readonly exchanges: readonly Exchange[];
  readonly budgets: readonly Budget[];
  /** Requests without an accepted key, with any credential. They belong to no budget. */
  readonly anonymous: readonly Exchange[];
  readonly markers: Markers;
  /** Server clock minus client clock in µs, from the Date headers. */
  readonly offset: Range;
}

/** The exchanges of one key and kind, and their history. */
export interface Budget {
  readonly key: string;
  readonly kind: Kind;
  /** When the first burst on one connection was sent (µs of the run's clock); infinite if there was none. */
  readonly until: number;
  /** The exchanges sent before that burst. */
  readonly exchanges: readonly Exchange[];
  /** Made when it is first read, and kept. */
  readonly history: History;
  /** All exchanges, including that burst and those after it. */
  readonly all: readonly Exchange[];
}

/** Splits a trace into its budgets. Requests that were under way when the run was cut short are included. */
export function readEvidence(trace: Trace): Evidence {
  const exchanges =
    trace.unanswered.length === 0 ? trace.exchanges : [...trace.exchanges, ...trace.unanswered.map(unansweredExchange)];
  const { epoch } = trace.header;
  const { condensed } = trace;
  const markers = inferMarkers(condensed?.sample ?? exchanges, epoch, trace.footer !== null);
  const dated = condensed ? offsetOf(condensed, epoch) : dateOffset(exchanges, epoch);
  const offset = trace.footer === null ? withOwnClock(dated) : markerOffset(dated, exchanges, markers);
  const keys = new Map<string, Readonly<Record<Kind, Exchange[]>>>();
  const beside: Exchange[] = [];
  const anonymous: Exchange[] = [];
  for (const exchange of exchanges) {
    const key = countedKey(exchange);
    if (key === null) {
      anonymous.push(exchange);
      continue;
    }
    let kinds = keys.get(key);
    if (!kinds) {
      kinds = { read: [], write: [] };
      keys.set(key, kinds);
    }
    kinds[exchange.kind].push(exchange);
    if (mayBeOfOtherKind(exchange)) beside.push(exchange);
  }
  const budgets = [...keys]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([key, kinds]) =>
      (['read', 'write'] as const)
        .filter((kind) => kinds[kind].length > 0 && !condensed?.left.has(`${key} ${kind}`))
        .map((kind) => {
          const others = beside.filter((each) => each.kind !== kind && countedKey(each) === key);
          const all = exchanges.length <= MOST_THOROUGH ? exchanges : null;
          // Of a condensed run, not all requests are known.
          const openers = condensed ? undefined : besideOf(kinds[otherThan(kind)], all);
          return budgetOf(key, kind, kinds[kind], others, { marker: markers[kind], offset, openers });
        }),
    );
  return { exchanges, budgets, anonymous, markers, offset };
}

/**
 * What bounds the server's clock for good. Until a run has ended, a later `Date` may show that several clocks answer,
 * and then none is known: only what holds by the run's own clock, too, can be told so early. That one differs from
 * itself by 0.
 */
function withOwnClock({ low, high }: Range): Range {
  return { low: Math.min(low, 0), high: Math.max(high, 0) };
}

/** If there are more requests, the budgets are many, and only the plainest mechanisms are tried. */
export const MOST_THOROUGH = 20_000;

/** What may begin the windows of a budget besides its own requests: those of the key's other kind, or all. */
function besideOf(ofKey: readonly Exchange[], all: readonly Exchange[] | null): Beside {
  return {
    get ofKey() {
      return openersOf(ofKey);
    },
    get ofAll() {
      return all && openersOf(all);
    },
  };
}

/** Made when they are first read, and kept as long as the requests. */
function openersOf(exchanges: readonly Exchange[]): readonly Opener[] {
  const openers = OPENERS.get(exchanges) ?? exchanges.flatMap((each) => openerOf(each) ?? []);
  OPENERS.set(exchanges, openers);
  return openers;
}

const OPENERS = new WeakMap<readonly Exchange[], readonly Opener[]>();

/** The key on whose budget a request may have been counted; null: it belongs to none. */
function countedKey(exchange: Exchange): string | null {
  return budgetKey(exchange) ?? resembledKey(exchange);
}

/**
 * The key that a bad key resembles, if the bad one was not rejected: the deployment may have counted the request on
 * that key's budget. Null if it was rejected, or if it is a revoked key, which counts as a key of its own.
 */
function resembledKey({ fault, variation, key, status }: Exchange): string | null {
  const isRejected = status === null || status === 401;
  return fault === 'bad-key' && variation !== 'revoked' && !isRejected ? key : null;
}

/**
 * Whether a request may have been counted as one of the other kind: what an unknown path is, is not stated, and its
 * answer does not state the limit of its kind.
 */
function mayBeOfOtherKind({ operation, kind, headers }: Exchange): boolean {
  return operation === null && singleInteger(headers.limit) !== LIMITS[kind];
}

/** Server clock minus client clock in µs, from the `Date` headers of a condensed run. */
export function offsetOf({ dates }: Pick<Condensed, 'dates'>, epoch: number): Range {
  return offsetWithin(dates.answered - epoch, dates.sent + OLDEST_DATE - epoch);
}

/** @param beside requests of the other kind that may have been counted in this budget */
function budgetOf(
  key: string,
  kind: Kind,
  all: readonly Exchange[],
  beside: readonly Exchange[],
  {
    marker,
    offset,
    openers,
  }: { readonly marker: MarkerReading; readonly offset: Range; readonly openers: Beside | undefined },
): Budget {
  const until = firstDelivery(all);
  const exchanges = until === Number.POSITIVE_INFINITY ? all : all.filter(({ sent }) => sent < until);
  let history: History | null = null;
  return {
    key,
    kind,
    until,
    exchanges,
    get history() {
      const counted = [...exchanges, ...beside.filter(({ sent }) => sent < until)];
      history ??= makeHistory(counted, { key, kind, until, ...(openers && { beside: openers }) }, marker, offset);
      return history;
    },
    all,
  };
}

/** The history of the budget if these were its exchanges. */
export function historyOf(budget: Budget, exchanges: readonly Exchange[], evidence: Evidence): History {
  return makeHistory(exchanges, budget, evidence.markers[budget.kind], evidence.offset);
}
