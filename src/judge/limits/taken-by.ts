import { isOfClass } from '../../deployment/attribute.ts';
import { isBeside } from '../../deployment/deviations/refused-beside.ts';
import type { SharedKinds } from '../../deployment/deviations/shared-kinds.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { firstKeys } from '../../diagnosis/proposers/connection.ts';
import { inOrder } from '../../diagnosis/world.ts';
import type { Event, History } from '../../oracle/history.ts';
import { type Exchange, hasNoAcceptedKey, type Kind } from '../../trace/exchange.ts';
import type { Shown } from './window-counts.ts';

/**
 * What a proof shows, with the requests of other budgets that took what is missing, or whose refusal was taken for this
 * budget's, where the deviation says which budgets these are.
 *
 * @param all the histories of both kinds
 * @param charged requests that are charged to some budget, but belong to none
 */
export function withTaken(
  shown: Shown,
  deviation: Deviation,
  all: readonly History[],
  charged: readonly Event[] = [],
): Shown {
  const [earlier, later, ...more] = shown.events;
  const own = all.find(({ events }) => later && events.includes(later));
  if (!earlier || !later || !own?.events.includes(earlier) || more.length > 0) return shown;
  const takers = deviation.operator === 'anonymous-charged' ? charged : takingFrom(own, deviation, all);
  const meanwhile = inOrder(takers.filter(({ from, to }) => from < later.to && to > earlier.from));
  const within = meanwhile.filter(({ from, to }) => from > earlier.to && to < later.from);
  const [taken, when] = within.length > 0 ? [within, 'between them'] : [meanwhile, 'at the same time'];
  const last = taken.at(-1);
  if (!last) return shown;
  const { kind, seq } = last.exchange;
  const [one, several] = befell(last);
  const sentence =
    taken.length === 1
      ? `#${seq}, a ${kind} ${sender(taken)}, ${one} ${when}.`
      : `${taken.length} ${kind}s ${sender(taken)} ${several} ${when}, the last one #${seq}.`;
  return {
    events: [earlier, last, later],
    argument: [...shown.argument.slice(0, -1), `${shown.argument.at(-1)} ${sentence}`],
  };
}

/** The requests of other budgets that a deviation makes count in this one, or refuse in it. */
export function takingFrom(own: History, deviation: Deviation, all: readonly History[]): readonly Event[] {
  const isCause = causeOf(deviation, own, all);
  const others = all.filter((other) => other !== own);
  return others.flatMap(({ events, ...budget }) => events.filter((event) => isCause(event, budget)));
}

/** The requests without an accepted key that are counted in some budget. */
export function chargedIn(histories: readonly History[]): readonly Event[] {
  return histories.flatMap(({ events }) => events.filter(({ exchange }) => hasNoAcceptedKey(exchange)));
}

/** What befell a request, and several of them. */
function befell({ outcome, exchange }: Event): readonly [one: string, several: string] {
  if (hasNoAcceptedKey(exchange)) return [`was answered ${exchange.status}`, 'came'];
  if (outcome === 'failed') return ['failed', 'failed'];
  return outcome === 'refused' ? ['was refused', 'were refused'] : ['was accepted', 'were accepted'];
}

/** With what some requests were sent: `with key-2`. */
function sender(events: readonly Event[]): string {
  const [first, ...more] = new Set(events.map(({ exchange }) => senderOf(exchange)));
  if (first !== undefined && more.length === 0) return first;
  return events.some(({ exchange }) => hasNoAcceptedKey(exchange)) ? 'without an accepted key' : 'with other keys';
}

function senderOf(exchange: Exchange): string {
  if (!hasNoAcceptedKey(exchange)) return `with ${exchange.key}`;
  return exchange.fault === 'no-key' ? 'without a key' : 'with a key that is not accepted';
}

type Budget = Pick<History, 'key' | 'kind'>;

/** What became of those requests of the other kind that show it: they count here, or refusals here follow theirs. */
function outcomeOf({ how, statuses }: SharedKinds, own: Kind): Event['outcome'] {
  const isCharged = how !== 'one count' && how.startsWith(own);
  if (isCharged || statuses?.includes(429)) return 'refused';
  return statuses ? 'failed' : 'accepted';
}

/** Which requests of other budgets a deviation makes count in this one, or refuse in it. */
function causeOf(
  { operator, parameters }: Deviation,
  own: Budget,
  all: readonly History[],
): (event: Event, budget: Budget) => boolean {
  const isOtherKind = ({ key, kind }: Budget): boolean => key === own.key && kind !== own.kind;
  switch (operator) {
    case 'shared-keys': {
      if (parameters.blocks === 'of the connection') {
        const payerOf = firstKeys(all);
        return (event, { kind }) => event.outcome === 'accepted' && kind === own.kind && payerOf(event) === own.key;
      }
      const { blocks, only } = parameters;
      const block = blocks.find((keys) => keys.includes(own.key)) ?? [];
      return ({ outcome, exchange }, { key, kind }) =>
        outcome === 'accepted' &&
        kind === own.kind &&
        block.includes(key) &&
        (only === undefined || isOfClass(only, exchange));
    }
    case 'shared-kinds':
      return ({ outcome, exchange }, budget) =>
        outcome === outcomeOf(parameters, own.kind) &&
        isOtherKind(budget) &&
        (outcome === 'refused' || (parameters.operations?.includes(exchange.operation ?? '') ?? true));
    case 'refused-beside':
      return ({ outcome }, budget) => outcome === 'refused' && isBeside(parameters.of, budget, own);
    default:
      return () => false;
  }
}
