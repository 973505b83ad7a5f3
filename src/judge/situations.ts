import { below, upTo } from '../oracle/ascending.ts';
import { singleInteger } from '../oracle/single-integer.ts';
import { type Exchange, isSuccess } from '../trace/exchange.ts';

/** In what a request may have found the target, as words that follow `only`. */
export interface Situation {
  readonly words: string;
  readonly holds: (exchange: Exchange) => boolean;
  /** The status that means this: only answers with it may be due to it, and nothing else is likelier. */
  readonly status?: number;
}

/** What may set some requests of a run apart that differ in nothing that they ask for. */
export interface Situations {
  readonly found: readonly Situation[];
  /** Whether other requests to its group of operations were under way, which may meet at one thing. */
  readonly besideOthers: (exchange: Exchange) => boolean;
  /** How long before a request the same operation last succeeded with another key, in µs; infinite if it had not. */
  readonly sinceOthers: (exchange: Exchange) => number;
}

/** Each is indexed when it is first asked. */
export function situationsOf(exchanges: readonly Exchange[]): Situations {
  return {
    found: [
      {
        words: 'while requests with valid keys are refused, too',
        holds: whenAsked(exchanges, amongRefused),
        status: 429,
      },
      {
        words: 'while other requests of its key are under way',
        holds: whenAsked(
          exchanges,
          amongOthers(({ key }) => key),
        ),
      },
      { words: 'on a connection on which a valid key had been sent', holds: whenAsked(exchanges, afterValidKey) },
      { words: 'where nothing is left of the budget', holds: whenAsked(exchanges, withNoneLeft) },
    ],
    besideOthers: whenAsked(
      exchanges,
      amongOthers(({ group }) => group),
    ),
    sinceOthers: whenAsked(exchanges, sinceSuccess),
  };
}

type Answering<T> = (exchange: Exchange) => T;

function whenAsked<T>(all: readonly Exchange[], index: (all: readonly Exchange[]) => Answering<T>): Answering<T> {
  let made: Answering<T> | null = null;
  return (exchange) => {
    made ??= index(all);
    return made(exchange);
  };
}

function sinceSuccess(all: readonly Exchange[]): Situations['sinceOthers'] {
  const succeeded = all.filter(({ key, status, operation }) => key !== null && operation !== null && isSuccess(status));
  const operations = new Map(
    [...Map.groupBy(succeeded, ({ operation }) => operation)].map(([operation, own]) => [operation, endsOf(own)]),
  );
  return ({ operation, key, sent }) => {
    const own = operations.get(operation);
    if (!own) return Number.POSITIVE_INFINITY;
    const last = upTo(own.ends, sent) - 1;
    const other = own.keys[last] === key ? (own.withOther[last] ?? -1) : last;
    return sent - (own.ends[other] ?? Number.NEGATIVE_INFINITY);
  };
}

/**
 * When some requests had been answered, ascending, by which keys, and which one before each was the last with another
 * key.
 */
function endsOf(exchanges: readonly Exchange[]) {
  const inOrder = exchanges.toSorted((one, other) => endOf(one) - endOf(other));
  const keys = inOrder.map(({ key }) => key);
  const withOther: number[] = [];
  for (const [at, key] of keys.entries()) withOther.push(keys[at - 1] === key ? (withOther[at - 1] ?? -1) : at - 1);
  return { ends: Float64Array.from(inOrder, endOf), keys, withOther };
}

/** Whether others that have the same in common were under way at the same time; those that have nothing were not. */
const amongOthers =
  (common: (exchange: Exchange) => string | null) =>
  (all: readonly Exchange[]): Situation['holds'] => {
    const times = new Map(
      [...Map.groupBy(all, common)].map(([name, own]) => [
        name,
        {
          sent: Float64Array.from(own, ({ sent }) => sent).sort(),
          ended: Float64Array.from(own, (each) => endOf(each)).sort(),
        },
      ]),
    );
    return (exchange) => {
      const name = common(exchange);
      const own = name === null ? undefined : times.get(name);
      return own !== undefined && upTo(own.sent, endOf(exchange)) - below(own.ended, exchange.sent) > 1;
    };
  };

/** Whether the latest valid request before, the first one after, or one under way at the same time was refused. */
function amongRefused(all: readonly Exchange[]): Situation['holds'] {
  const valid = all.filter(({ fault, key, answered }) => fault === 'none' && key !== null && answered !== null);
  const bySent = valid.toSorted((one, other) => one.sent - other.sent);
  const byEnd = valid.toSorted((one, other) => endOf(one) - endOf(other));
  const sent = Float64Array.from(bySent, (each) => each.sent);
  const ends = Float64Array.from(byEnd, endOf);
  return (exchange) => {
    const end = endOf(exchange);
    const near = byEnd.slice(Math.max(0, below(ends, exchange.sent) - 1), upTo(ends, end));
    return [...near, bySent[upTo(sent, end)]].some((each) => each?.status === 429);
  };
}

function endOf({ sent, answered }: Exchange): number {
  return answered ?? sent;
}

function afterValidKey(all: readonly Exchange[]): Situation['holds'] {
  const since = new Map<number, number>();
  for (const { connection, fault, key, status, answered } of all) {
    if (fault !== 'none' || key === null || answered === null || !isSuccess(status)) continue;
    since.set(connection, Math.min(since.get(connection) ?? answered, answered));
  }
  return ({ connection, sent }) => sent > (since.get(connection) ?? Number.POSITIVE_INFINITY);
}

/**
 * An answer without Remaining is the last one of its budget if it is the only one in its window, and all others have
 * some left.
 */
function withNoneLeft(all: readonly Exchange[]): Situation['holds'] {
  const windows = new Map<string, { silent: number; least: number }>();
  for (const exchange of all) {
    if (exchange.key === null || !isSuccess(exchange.status)) continue;
    const name = windowOf(exchange);
    const window = windows.get(name) ?? { silent: 0, least: Number.POSITIVE_INFINITY };
    const left = singleInteger(exchange.headers.remaining);
    if (left === null) window.silent += 1;
    else window.least = Math.min(window.least, left);
    windows.set(name, window);
  }
  return (exchange) => {
    // Where no key was accepted, Remaining belongs to no budget.
    if (exchange.status === 401) return false;
    const left = singleInteger(exchange.headers.remaining);
    if (left !== null) return left === 0;
    const window = windows.get(windowOf(exchange));
    return isSuccess(exchange.status) && window?.silent === 1 && window.least === 1;
  };
}

function windowOf({ key, kind, headers }: Exchange): string {
  return `${key} ${kind} ${headers.reset}`;
}
