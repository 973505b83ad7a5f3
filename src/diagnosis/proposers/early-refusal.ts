import { classOf, type RequestClass } from '../../deployment/attribute.ts';
import { upTo } from '../../oracle/ascending.ts';
import { type Event, type History, isLetThrough } from '../../oracle/history.ts';
import { together } from '../../oracle/together.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { leftOpen, timesOf, type World } from '../world.ts';
import { bitsOfRace, lossIn } from './losses.ts';
import { refusedEarly, refusedInShortWindows } from './refused-early.ts';
import { COUNTED_BY } from './weight.ts';

/** A cap on concurrent requests lets at least two of them through at once. */
const LEAST_CAP = 2;

/**
 * Requests that are refused although their answers say that some are left, by no other limit in a window: if many
 * requests of the key are under way, or now and then. The rest must be explained without these refusals.
 */
export function* proposeEarlyRefusals(world: World, context: SearchContext): Iterable<Proposal> {
  const early = refusedEarly(world, context);
  const all = new Set([...early, ...refusedInShortWindows(world, context)]);
  if (early.size > 0) yield* withoutRefusals(early, world, context);
  // Where what is left is not read, almost any refusal may have been early.
  if (all.size > early.size) {
    for (const proposal of withoutRefusals(all, world, context)) yield { ...proposal, isLast: true };
  }
}

function* withoutRefusals(
  early: ReadonlySet<Event>,
  world: World,
  { kind, otherKind }: SearchContext,
): Iterable<Proposal> {
  const without = leftOpen(world, (event) => early.has(event));
  for (const { of, left, bits } of reservesOf(world.histories, early)) {
    const parameters = { kinds: [kind], underWay: null, oneIn: 1, reserve: { of, left } };
    yield { deviations: [{ operator: 'early-refusal', parameters }], bits: DEVIATION_BITS + bits, world: without };
  }
  const caps = HOLDERS.map((holds) => cheapestCap(world.histories, early, otherKind, (event) => holds(event, early)));
  const [cap] = caps.flatMap((each) => each ?? []).sort((one, other) => one.bits - other.bits);
  if (cap) {
    yield {
      deviations: [{ operator: 'early-refusal', parameters: { kinds: [kind], underWay: cap.underWay, oneIn: 1 } }],
      bits: DEVIATION_BITS + bitsOfNumber(cap.underWay) + cap.bits,
      // What the cap refuses says nothing about the budget, which may be spent as well.
      world: leftOpen(
        world,
        (event, history) => early.has(event) || (event.outcome === 'refused' && cap.isReached(event, history)),
      ),
    };
  }
  const served = world.histories.map(({ events }) => events.filter((event) => early.has(event) || isLetThrough(event)));
  const oneIn = Math.max(2, Math.round(served.flat().length / early.size));
  yield {
    deviations: [{ operator: 'early-refusal', parameters: { kinds: [kind], underWay: null, oneIn } }],
    bits: DEVIATION_BITS + bitsOfRefused(served, early),
    world: without,
  };
}

/**
 * Bits to state which of some requests were refused. Nothing shows in which order simultaneous ones were decided, so
 * only how many were, each time.
 */
function bitsOfRefused(served: readonly (readonly Event[])[], early: ReadonlySet<Event>): number {
  return bitsOfRace(served.flatMap((own) => together(own)).map((group) => lossIn(group, (event) => early.has(event))));
}

/** A bound on the requests of a key that are under way. */
interface Cap {
  /** How many others are. */
  readonly underWay: number;
  readonly isReached: (event: Event, history: History) => boolean;
  /** Bits to state which requests it refused, of those that found so many others. */
  readonly bits: number;
}

/** What may count as under way until it is answered: what was let through, or also what the budget refused. */
const HOLDERS: readonly ((event: Event, early: ReadonlySet<Event>) => boolean)[] = [
  ({ outcome }) => outcome !== 'refused',
  (event, early) => !early.has(event),
];

/** The cap that refused these requests, the highest possible; null if it would let only one through at once. */
function cheapestCap(
  histories: readonly History[],
  early: ReadonlySet<Event>,
  otherKind: readonly History[],
  holds: (event: Event) => boolean,
): Cap | null {
  const others = new Map(histories.map((history) => [history, othersUnderWay(history, otherKind, holds)] as const));
  const beside = (event: Event, history: History): number => others.get(history)?.(event) ?? 0;
  const underWay = histories.reduce((least, history) => {
    const own = history.events.filter((event) => early.has(event)).map((event) => beside(event, history));
    return own.reduce((one, other) => Math.min(one, other), least);
  }, Number.POSITIVE_INFINITY);
  if (underWay < LEAST_CAP || !Number.isFinite(underWay)) return null;
  const isReached = (event: Event, history: History): boolean => beside(event, history) >= underWay;
  const served = histories.map((history) =>
    history.events.filter((event) => (early.has(event) || isLetThrough(event)) && isReached(event, history)),
  );
  return { underWay, isReached, bits: bitsOfRefused(served, early) };
}

/** Requests for which a part of the budget is not to be had, and how large this part is. */
interface Reserve {
  readonly of: RequestClass;
  readonly left: number;
  readonly bits: number;
}

/**
 * Classes of requests of which each is refused while no more are left than one of them was refused with, and none is
 * let through then, though others are.
 */
function reservesOf(histories: readonly History[], early: ReadonlySet<Event>): readonly Reserve[] {
  const refused = [...early];
  const left = refused.reduce((most, { remaining }) => Math.max(most, remaining ?? 0), 0);
  const all = histories.flatMap(({ events }) => events);
  const beyond = all.filter(({ outcome, remaining }) => outcome === 'accepted' && (remaining ?? left) < left);
  if (left === 0) return [];
  return COUNTED_BY.flatMap((attribute) => {
    const namesOf = (events: readonly Event[]) => new Set(events.map(({ exchange }) => classOf(attribute, exchange)));
    const classes = namesOf(refused);
    if (beyond.length === 0 || [...namesOf(beyond)].some((each) => classes.has(each))) return [];
    const bits = classes.size * bitsOfNumber(namesOf(all).size) + bitsOfNumber(left);
    return [{ of: { attribute, classes: [...classes].sort() }, left, bits }];
  });
}

/** The most other requests of the key that can have been under way when a request was decided. */
function othersUnderWay(
  { key, events }: History,
  otherKind: readonly History[],
  holds: (event: Event) => boolean,
): (event: Event) => number {
  const all = [events, ...otherKind.filter((other) => other.key === key).map((other) => other.events)].flat();
  const { sent, answered } = timesOf(all.filter(holds));
  return (event) => upTo(sent, event.to) - upTo(answered, event.from) - Number(holds(event));
}
