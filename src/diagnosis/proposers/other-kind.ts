import { type Attribute, classOf } from '../../deployment/attribute.ts';
import { type Event, type History, limitOf } from '../../oracle/history.ts';
import { type Kind, otherThan } from '../../trace/exchange.ts';
import type { Fitter } from '../fitter.ts';
import { bitsOfNumber, bitsToChoose, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import {
  changed,
  conformingWorld,
  inOrder,
  isDecided,
  limitTold,
  mayBeAnyOperation,
  upToEnd,
  type World,
  withEvents,
} from '../world.ts';

/** Bits to state which kind's operations they are, and that their headers and limit are those of the other kind. */
const KIND_BITS = 4;

/**
 * Operations of one kind that are charged to the budget of the other and get its limit. The other kind may have another
 * mechanism, so it is examined by itself.
 */
export function* proposeOtherKind(world: World, { kind, otherKind, fitter }: SearchContext): Iterable<Proposal> {
  const other = otherThan(kind);
  for (const [source, from] of [
    [kind, world.histories],
    [other, otherKind],
  ] as const) {
    const decided = from.flatMap(({ events }) => events.filter(isDecided));
    for (const { operations, bits } of misfiled(decided, source)) {
      const isMoved = ({ exchange }: Event): boolean => operations.includes(exchange.operation ?? '');
      if (source === kind && !mayBeCharged(world.histories, isMoved, otherKind, fitter)) continue;
      yield {
        deviations: [{ operator: 'charged-as-other-kind', parameters: { kind: source, operations } }],
        bits: DEVIATION_BITS + KIND_BITS + bits,
        isStated: true,
        world: changed(world, (history) => {
          if (source === kind) return withEvents(history, (event) => (isMoved(event) ? null : event));
          return withMoved(history, otherKind, (event) => isMoved(event) || mayBeAnyOperation(event));
        }),
      };
    }
  }
}

/** A budget with some requests of the same key's budget of the other kind. */
function withMoved(history: History, others: readonly History[], isMoved: (event: Event) => boolean): History {
  const theirs = others.find(({ key }) => key === history.key);
  if (!theirs) return history;
  const until = Math.min(history.until, theirs.until);
  const events = upToEnd([...history.events, ...theirs.events.filter(isMoved)], until);
  return { ...history, events: inOrder(events), until };
}

/** Whether budgets that conform by themselves conform with these requests as well, as if they were charged to them. */
function mayBeCharged(
  own: readonly History[],
  isMoved: (event: Event) => boolean,
  others: readonly History[],
  fitter: Fitter,
): boolean {
  const charged = others.map((history) => withMoved(history, own, isMoved));
  return fitter.fit(conformingWorld(charged)) !== null || fitter.fit(conformingWorld(others)) === null;
}

/** Attributes by which a limiter may assign several operations to a kind. */
const ATTRIBUTES: readonly Attribute[] = ['method', 'group'];

/** Operations that may be assigned to the wrong kind together, and the bits to state which. */
interface Misfiled {
  readonly operations: readonly string[];
  readonly bits: number;
}

/**
 * Each operation that does not always state the limit of its own kind; all operations of one method or group, if all of
 * them are such; and all that state the other kind's limit, as requests on its budget do. Never all operations, because
 * then nothing of the kind would be judged.
 */
function misfiled(decided: readonly Event[], source: Kind): readonly Misfiled[] {
  const byOperation = Map.groupBy(decided, ({ exchange }) => exchange.operation ?? '');
  const names = [...byOperation.keys()].sort();
  const limits = new Map([...byOperation].map(([name, events]) => [name, new Set(events.map(limitTold))]));
  // The limit may be stated wrongly as well, on some answers.
  const able = names.filter((name) => [...(limits.get(name) ?? [])].some((limit) => limit !== limitOf(source)));
  const misled = able.filter((name) => limits.get(name)?.has(limitOf(otherThan(source))));
  const several = ATTRIBUTES.flatMap((attribute) => {
    const classes = Map.groupBy(decided, ({ exchange }) => classOf(attribute, exchange));
    return [...classes.values()].map((events): Misfiled => {
      const operations = [...new Set(events.map(({ exchange }) => exchange.operation ?? ''))].sort();
      return { operations, bits: Math.log2(ATTRIBUTES.length) + Math.log2(classes.size + 1) };
    });
  });
  const named = [...able.map((name) => [name]), misled].map((operations): Misfiled => {
    return {
      operations,
      bits: bitsOfNumber(operations.length - 1) + bitsToChoose(names.length + 1, operations.length),
    };
  });
  const all = [...named, ...several].filter(
    ({ operations }) =>
      operations.length > 0 && operations.length < names.length && operations.every((name) => able.includes(name)),
  );
  // If a set can be stated in several ways, the shortest one counts.
  const shortest = new Map<string, Misfiled>();
  for (const each of all) {
    const name = each.operations.join();
    if (each.bits < (shortest.get(name)?.bits ?? Number.POSITIVE_INFINITY)) shortest.set(name, each);
  }
  return [...shortest.values()];
}
