import { isAnswerOf, REFUSED, SUCCEEDED } from '../../deployment/answers.ts';
import { type Attribute, classOf, type RequestClass } from '../../deployment/attribute.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Event, History } from '../../oracle/history.ts';
import { aloneIn } from '../../oracle/together.ts';
import type { Kind } from '../../trace/exchange.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, markedLater, statusOf, untold, type World, withEvents } from '../world.ts';
import { RULE_BITS, VALUE_BITS } from './header-bits.ts';
import { differenceBetween, offsetOfMarkers } from './marker-offset.ts';
import { alwaysAhead } from './marker-rules.ts';
import { areInOtherUnit, unitOf } from './marker-units.ts';
import { leftBehind } from './remaining-rule.ts';
import { bitsOfLength, roundest } from './round.ts';

/** Attributes of the requests whose answers one component may write. */
const ATTRIBUTES: readonly Attribute[] = ['method', 'group', 'operation', 'credential'];

/** Bits to state one of these attributes, and which of three sets of statuses the answers have. */
const WHICH_BITS = Math.log2(3 * ATTRIBUTES.length);

/** So few answers may have one Remaining by chance, or be off by one number. */
const FEWEST = 2;

/** Some answers to requests of one class. */
interface Some {
  readonly only: { readonly statuses: readonly number[]; readonly to: RequestClass };
  readonly bits: number;
  readonly isMeant: (event: Event) => boolean;
}

/**
 * Headers that are wrong only on the answers to some requests, as where a route fills them itself. Other answers of the
 * same budget show by which rule they are wrong.
 */
export function* proposeClassHeaders(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.remaining || !world.layers.reset) return;
  for (const some of classesIn(world)) {
    yield* remainingOf(some, world, kind);
    yield* markersOf(some, world, kind);
  }
}

/**
 * The answers to each class of requests, if there are others: those that are successful, passed the limiter, or all.
 */
function* classesIn({ histories }: World): Iterable<Some> {
  const told = histories.flatMap(({ events }) => events.filter((event) => statusOf(event).length > 0));
  const seen = new Set<string>();
  for (const attribute of ATTRIBUTES) {
    const classes = Map.groupBy(told, ({ exchange }) => classOf(attribute, exchange));
    for (const [name, events] of classes.size < 2 ? [] : classes) {
      // A method of which there is one operation is described by the shorter of the two.
      const which = events.map(({ exchange }) => exchange.seq).join();
      if (seen.has(which)) continue;
      seen.add(which);
      const statuses = [...new Set(events.flatMap(statusOf))].sort((one, other) => one - other);
      const passed = statuses.filter((status) => status !== REFUSED);
      const sets = new Map([[SUCCEEDED], passed, statuses].map((set) => [set.join(), set]));
      for (const set of sets.values()) {
        const only = { statuses: set, to: { attribute, classes: [name] } };
        const isMeant = (event: Event): boolean => statusOf(event).length > 0 && isAnswerOf(only, event.exchange);
        yield { only, bits: DEVIATION_BITS + WHICH_BITS + Math.log2(classes.size), isMeant };
      }
    }
  }
}

/** Remaining that is off by one number, or always one number. */
function* remainingOf({ only, bits, isMeant }: Some, world: World, kind: Kind): Iterable<Proposal> {
  const offset = offsetBeside(world.histories, isMeant);
  if (offset !== null) {
    const change = { offset };
    yield {
      deviations: [{ operator: 'remaining-header', parameters: { kinds: [kind], change, only } }],
      bits: bits + bitsOfNumber(offset),
      world: changed(world, (history) => {
        const left = leftBehind(history, change);
        return withEvents(history, (event) => (isMeant(event) ? { ...event, remaining: left(event) } : event));
      }),
    };
  }
  const told = world.histories.flatMap(({ events, shown }) =>
    events.flatMap((event) => (isMeant(event) && event.remaining !== null ? [{ left: event.remaining, shown }] : [])),
  );
  const [first] = told;
  if (!first || told.length <= FEWEST || told.some(({ left }) => left !== first.left) || first.left === 0) return;
  const isLimit = told.every(({ left, shown }) => left === shown);
  const deviation: Deviation = {
    operator: 'remaining-header',
    parameters: { kinds: [kind], change: isLimit ? 'the limit' : { constant: first.left }, only },
  };
  const more = isLimit ? RULE_BITS : VALUE_BITS;
  yield { deviations: [deviation], bits: bits + more, world: untold(world, ['remaining'], isMeant) };
}

/**
 * By how much Remaining is higher on some answers than the answers beside them show: the next one leaves one less if
 * both are right. Only successful requests that were under way by themselves show it. Null if it is not the same for
 * most of them.
 */
function offsetBeside(histories: readonly History[], isMeant: (event: Event) => boolean): number | null {
  const counts = new Map<number, number>();
  let pairs = 0;
  for (const { events } of histories) {
    const alone = aloneIn(events);
    for (const [at, later] of alone.entries()) {
      const earlier = alone[at - 1];
      if (!earlier || isMeant(earlier) === isMeant(later) || !areOfOneWindow(earlier, later)) continue;
      const fallen = (earlier.remaining ?? 0) - (later.remaining ?? 0);
      const offset = isMeant(later) ? 1 - fallen : fallen - 1;
      counts.set(offset, (counts.get(offset) ?? 0) + 1);
      pairs += 1;
    }
  }
  const [[offset, count] = [0, 0]] = [...counts].sort(([, one], [, other]) => other - one);
  return offset !== 0 && count >= FEWEST && count > pairs / 2 ? offset : null;
}

function areOfOneWindow(one: Event, other: Event): boolean {
  const isTold = ({ outcome, remaining, reset }: Event): boolean =>
    outcome === 'accepted' && remaining !== null && remaining > 0 && reset !== null;
  return isTold(one) && isTold(other) && one.reset === other.reset;
}

/** By how much markers are off: the answers around them state it exactly, others only within bounds. Null: not known. */
function offsetBetween({ histories, window }: World, isMeant: (event: Event) => boolean): number | null {
  const stated = differenceBetween(histories, isMeant);
  if (stated !== null) return stated;
  const range = offsetOfMarkers(histories, window, isMeant);
  return range && roundest(range);
}

/** Markers that lie a time before or after the ends of windows, or so long after each answer, or in another unit. */
function* markersOf({ only, bits, isMeant }: Some, world: World, kind: Kind): Iterable<Proposal> {
  const offset = offsetBetween(world, isMeant);
  if (offset !== null) {
    yield {
      deviations: [{ operator: 'marker-header', parameters: { kinds: [kind], change: { offset }, only } }],
      bits: bits + bitsOfLength(offset),
      world: markedLater(world, -offset, isMeant),
    };
  }
  const meant = world.histories.map((history) => withEvents(history, (event) => (isMeant(event) ? event : null)));
  const ahead = alwaysAhead(meant);
  const change = areInOtherUnit(meant, unitOf(world.histories)) ? 'other unit' : ahead !== null ? { ahead } : null;
  if (change === null) return;
  yield {
    deviations: [{ operator: 'marker-header', parameters: { kinds: [kind], change, only } }],
    bits: bits + (change === 'other unit' ? RULE_BITS : Math.min(VALUE_BITS, bitsOfLength(change.ahead))),
    world: untold(world, ['reset'], isMeant),
  };
}
