import { REFUSED } from '../../deployment/answers.ts';
import { classOf } from '../../deployment/attribute.ts';
import { type Event, type History, limitOf } from '../../oracle/history.ts';
import { otherThan } from '../../trace/exchange.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { isDecided, leftOpen, mayBeAnyOperation, upToEnd, type World } from '../world.ts';
import { alsoCharged, chargedHere } from './charged.ts';
import { isRefusedBy } from './shared-limit.ts';

/** Bits to state that requests count by how they were answered, which is rarer than that all or some operations do. */
const STATUS_BITS = 4;

/** Reads and writes of a key that use one count, or requests of some class of the other kind that also count here. */
export function* proposeSharedKinds(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  const how = HOW[otherThan(kind)];
  const refusedHere = otherKind.flatMap(({ events }) => events.filter((event) => isRefusedBy(limitOf(kind), event)));
  const also = (is: (event: Event) => boolean, refused: boolean, failing = false): World => ({
    ...world,
    histories: world.histories.map((history) => {
      const other = otherKind.find(({ key }) => key === history.key);
      if (!other) return history;
      const until = Math.min(history.until, other.until);
      const events = upToEnd(history.events, until);
      const counted = other.events.filter(is).flatMap((event) => asForeign(event, refused, failing));
      return alsoCharged({ ...history, events, until }, counted);
    }),
  });
  // Requests that the other kind's limit refuses may be counted as well.
  const ways = [false, true];
  for (const refused of ways) {
    yield {
      deviations: [{ operator: 'shared-kinds', parameters: { how, ...refusing(refusedHere) } }],
      bits: DEVIATION_BITS + 1 + Number(refused),
      world: also(() => true, refused),
    };
  }
  if (otherKind.some(({ events }) => events.some(({ outcome }) => outcome === 'refused'))) {
    yield {
      deviations: [{ operator: 'shared-kinds', parameters: { how, statuses: [REFUSED] } }],
      bits: DEVIATION_BITS + 1 + STATUS_BITS,
      world: also(mayBeRefused, true),
    };
  }
  const failures = failuresOf(otherKind);
  for (const refused of ways) {
    for (const statuses of failures) {
      yield {
        deviations: [{ operator: 'shared-kinds', parameters: { how, statuses } }],
        bits: DEVIATION_BITS + 1 + STATUS_BITS + Number(refused) + bitsOfNumber(failures.length - 1),
        isLast: true,
        world: also(
          ({ exchange, outcome }) => statuses.includes(exchange.status ?? 0) || outcome === 'refused',
          refused,
          true,
        ),
      };
    }
  }
  const classes = classesOf(otherKind);
  for (const refused of ways) {
    for (const operations of classes) {
      const isOf = ({ exchange }: Event): boolean => operations.includes(exchange.operation ?? '');
      yield {
        deviations: [
          { operator: 'shared-kinds', parameters: { how, operations, ...refusing(refusedHere.filter(isOf)) } },
        ],
        bits: DEVIATION_BITS + 1 + Number(refused) + bitsOfNumber(classes.length),
        world: also((event) => isOf(event) || mayBeAnyOperation(event), refused),
      };
    }
  }
}

/**
 * Requests that count as the other kind too, and are refused where that is spent, as the limit and the marker that are
 * stated for them show. Whether they were counted here before is not known.
 */
export function* proposeRefusedByOtherKind(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  const isTheirs = (event: Event): boolean => isRefusedBy(limitOf(otherThan(kind)), event);
  const refused = world.histories.flatMap(({ events }) => events.filter(isTheirs));
  if (refused.length === 0) return;
  const ends = Map.groupBy(
    otherKind.flatMap(({ events }) => events.filter(isSpent)),
    ({ exchange }) => exchange.key,
  );
  const isOfSpent = ({ exchange: { key }, reset }: Event): boolean =>
    ends.get(key)?.some((other) => isOneEnd(other.reset, reset)) ?? false;
  // A refusal that only states another limit is of this kind.
  if (!refused.every(isOfSpent)) return;
  const under = leftOpen(world, isTheirs);
  const how = HOW[kind];
  yield {
    deviations: [{ operator: 'shared-kinds', parameters: { how, refusing: true } }],
    bits: DEVIATION_BITS + 1,
    world: under,
  };
  const classes = classesOf(world.histories);
  for (const operations of classes) {
    if (!refused.every(({ exchange }) => operations.includes(exchange.operation ?? ''))) continue;
    yield {
      deviations: [{ operator: 'shared-kinds', parameters: { how, operations, refusing: true } }],
      bits: DEVIATION_BITS + 1 + bitsOfNumber(classes.length),
      world: under,
    };
  }
}

/** How requests of a kind count as the other one too. */
const HOW = { read: 'reads count as writes too', write: 'writes count as reads too' } as const;

function isSpent({ outcome, remaining }: Event): boolean {
  return outcome === 'refused' || remaining === 0;
}

/** Whether two markers may be one, or are not stated. Clocks and markers tick in whole seconds. */
function isOneEnd(one: number | null, other: number | null): boolean {
  return one === null || other === null || Math.abs(one - other) <= TICK;
}

const TICK = 1_000_000;

function refusing(refused: readonly Event[]): { readonly refusing?: true } {
  return refused.length > 0 ? { refusing: true } : {};
}

/** Whether its own limit has refused it, as far as its answer tells. */
function mayBeRefused({ outcome, exchange: { status } }: Event): boolean {
  return outcome === 'refused' || (outcome === 'unclear' && (status === REFUSED || status === null));
}

/** The statuses of failed requests: all of them, and each. */
function failuresOf(histories: readonly History[]): readonly (readonly number[])[] {
  const failed = histories.flatMap(({ events }) => events.filter(({ outcome }) => outcome === 'failed'));
  const all = [...new Set(failed.flatMap(({ exchange }) => exchange.status ?? []))].sort((one, other) => one - other);
  return all.length > 1 ? [all, ...all.map((status) => [status])] : [all].filter((statuses) => statuses.length > 0);
}

/** The operations of each class by which requests may be told apart, unless all have it. */
function classesOf(histories: readonly History[]): readonly (readonly string[])[] {
  const exchanges = histories.flatMap(({ events }) => events.filter(isDecided).map(({ exchange }) => exchange));
  const all = new Set(exchanges.map(({ operation }) => operation)).size;
  const sets = (['operation', 'method', 'group'] as const).flatMap((attribute) => {
    const classes = Map.groupBy(exchanges, (exchange) => classOf(attribute, exchange));
    return [...classes.values()].map((own) => [...new Set(own.map(({ operation }) => operation ?? ''))].sort());
  });
  const distinct = new Map(sets.map((set) => [set.join(' '), set]));
  return [...distinct.values()].filter((set) => set.length < all);
}

/**
 * A request of another budget, as this budget sees it if it is counted here, too.
 *
 * @param failing whether failed requests certainly are
 */
function asForeign(event: Event, refused: boolean, failing: boolean): readonly Event[] {
  if (event.outcome === 'refused' && !refused) return [];
  return [chargedHere(event, isDecided(event) || (failing && event.outcome === 'failed'))];
}
