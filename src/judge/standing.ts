import type { Operation } from '../profile/profile.ts';
import { changes, usesUp } from '../profile/repetition.ts';
import { type Exchange, isFullKey, isSuccess } from '../trace/exchange.ts';
import { changedBy, covers, thingAt } from '../trace/things.ts';
import type { Trace } from '../trace/trace.ts';

/** Statuses by which a conforming deployment may say that a thing is gone, or no longer as it was. */
const OF_THE_THING: ReadonlySet<number | null> = new Set([400, 404]);

/** A request that may have changed something: what it is aimed at, and by which operation. */
interface Change {
  readonly exchange: Exchange;
  readonly thing: string;
  readonly operation: Operation;
}

/** All that bears on one thing, as one operation asks for it. */
interface Standing {
  /** What may have taken it away, or first made it. */
  readonly changes: readonly Change[];
  /** What shows that it is as it should be, in order of `sent`: it was put, got or prepared. */
  readonly shown: readonly { readonly exchange: Exchange; readonly prepares: boolean; readonly at: string }[];
}

/**
 * Says of an answer whether another request of the run may have caused it, by having changed what was asked for: two
 * requests can be compared only where the first cannot have changed the answer to the second. Only a 400 or a 404 says
 * that something is gone or not as it was; no other status of clause 7 follows from it. What is needed to say so is
 * gathered when first asked.
 */
export function disturbances(trace: Trace, exchanges: readonly Exchange[]): (exchange: Exchange) => boolean {
  const operations = new Map(trace.header.profile.operations.map((each) => [each.id, each]));
  const standings = new Map<string, Standing>();
  let made: readonly Change[] | null = null;

  const changesOf = (): readonly Change[] =>
    exchanges.flatMap((exchange) => {
      const operation = operations.get(exchange.operation ?? '');
      if (!operation || !changes(operation) || !mayHaveWorked(exchange)) return [];
      return [{ exchange, thing: thingAt(exchange.target), operation }];
    });

  function isPreparation(of: Operation, id: string): boolean {
    return of.prepare.some((each) => {
      const step = operations.get(each);
      return each === id || (step !== undefined && isPreparation(step, id));
    });
  }

  function gather(thing: string, operation: Operation): Standing {
    made ??= changesOf();
    const repeats = succeedsAgain(made, thing, operation.id, (step) => isPreparation(operation, step.id));
    const relevant = made.filter((each) => isPut(each, thing) || mayTakeAway(each, thing, operation, repeats));
    if (relevant.length === 0) return { changes: [], shown: [] };
    const shown = exchanges.flatMap((exchange) => {
      const own = operations.get(exchange.operation ?? '');
      if (!own || !isSuccess(exchange.status)) return [];
      const at = thingAt(exchange.target);
      const shows = covers(at, thing) && !usesUp(own) && (!changes(own) || own.method === 'PUT');
      const prepares = isPreparation(operation, own.id) && prepared(own, at, operation, thing);
      return prepares || shows ? [{ exchange, prepares, at: prepares ? thing : at }] : [];
    });
    return { changes: relevant, shown };
  }

  function standingOf(thing: string, operation: Operation): Standing {
    const name = `${operation.id} ${thing}`;
    const standing = standings.get(name) ?? gather(thing, operation);
    standings.set(name, standing);
    return standing;
  }

  return (request) => {
    const operation = operations.get(request.operation ?? '');
    if (!operation || !OF_THE_THING.has(request.status) || request.answered === null) return false;
    const thing = thingAt(request.target);
    const standing = standingOf(thing, operation);
    const known = standing.shown.filter(
      ({ exchange }) =>
        exchange.answered !== null &&
        exchange.answered <= request.sent &&
        // A key may have things of its own.
        (exchange.key === request.key || !isFullKey(request.key)),
    );
    const before = known.filter(({ at }) => at === thing);
    const whole = before.at(-1)?.exchange.sent ?? Number.NEGATIVE_INFINITY;
    const anew = before.findLast(({ prepares }) => prepares)?.exchange.sent ?? Number.NEGATIVE_INFINITY;
    const to = request.answered;
    return standing.changes.some((change) => {
      const { exchange } = change;
      const decided = endOf(exchange);
      if (exchange === request) return false;
      // Before it, or what it is part of, was put for the first time, it need not have been there.
      if (isPut(change, thing)) return !known.some(({ at }) => covers(change.thing, at)) && decided >= request.sent;
      // That a collection can be read says nothing of what was posted to it already.
      const from = change.operation.id === operation.id && operation.method !== 'DELETE' ? anew : whole;
      return exchange.sent < to && decided > from;
    });
  };
}

/**
 * Whether a preparing operation that was aimed there brings the thing back: by its name, or by one that only the target
 * knows.
 */
function prepared(step: Operation, at: string, operation: Operation, thing: string): boolean {
  if (step.method !== 'PUT') return true;
  return operation.method === 'DELETE' ? at === thing : covers(at, thing);
}

function isPut({ thing: at, operation }: Change, thing: string): boolean {
  return operation.method === 'PUT' && covers(at, thing);
}

/** Whether a change may leave a thing, or what lies below it, other than a request for it needs it. */
function mayTakeAway({ thing: at, operation }: Change, thing: string, asking: Operation, repeats: boolean): boolean {
  if (operation.method === 'DELETE') return covers(at, thing);
  // A thing that was put is there (RFC 9110, 9.3.4).
  if (operation.method === 'PUT') return false;
  if (at !== thing) return covers(thing, at) || (operation.method === 'POST' && isBelow(at, thing));
  return operation.id === asking.id ? !repeats : usesUp(operation);
}

/** Whether a post at one place may act on what the other is part of. */
function isBelow(at: string, thing: string): boolean {
  const acted = changedBy('POST', at);
  return acted !== at && covers(acted, thing);
}

/**
 * Whether an operation succeeded twice in a row at one place, with nothing near that could have made room for the
 * second, or prepared it: then the first has not changed the answer to it.
 */
function succeedsAgain(
  made: readonly Change[],
  thing: string,
  id: string,
  prepares: (operation: Operation) => boolean,
): boolean {
  const own: Exchange[] = [];
  const others: Exchange[] = [];
  for (const { exchange, thing: at, operation } of made) {
    if (operation.id === id && at === thing) {
      // An odd request asks for something else.
      if (isSuccess(exchange.status) && exchange.fault === 'none') own.push(exchange);
    } else if (covers(at, thing) || (operation.method !== 'PUT' && covers(thing, at)) || prepares(operation)) {
      others.push(exchange);
    }
  }
  // A key may have things of its own.
  const last = new Map<string | null, Exchange>();
  return own.some((second) => {
    const first = last.get(second.key);
    last.set(second.key, second);
    if (!first) return false;
    const from = Math.min(first.sent, second.sent);
    const to = Math.max(endOf(first), endOf(second));
    return others.every((each) => endOf(each) < from || each.sent > to);
  });
}

function endOf({ answered }: Exchange): number {
  return answered ?? Number.POSITIVE_INFINITY;
}

function mayHaveWorked({ status }: Exchange): boolean {
  return status === null || status >= 500 || isSuccess(status);
}
