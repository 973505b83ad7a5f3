import { classOf, type RequestClass } from '../../deployment/attribute.ts';
import { upTo } from '../../oracle/ascending.ts';
import { type Event, type History, isLetThrough } from '../../oracle/history.ts';
import { together } from '../../oracle/together.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, timesOf, unclear, type World, withEvents } from '../world.ts';
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
  const without = changed(world, (history) =>
    withEvents(history, (event) => (early.has(event) ? unclear(event) : event)),
  );
  for (const { of, left, bits } of reservesOf(world.histories, early)) {
    const parameters = { kinds: [kind], underWay: null, oneIn: 1, reserve: { of, left } };
    yield { deviations: [{ operator: 'early-refusal', parameters }], bits: DEVIATION_BITS + bits, world: without };
  }
  const others = new Map(world.histories.map((history) => [history, othersUnderWay(history, otherKind)] as const));
  const served = world.histories.map(({ events }) => events.filter((event) => early.has(event) || isLetThrough(event)));
  const cap = world.histories.reduce((least, history) => {
    const own = history.events.filter((event) => early.has(event)).map((event) => others.get(history)?.(event) ?? 0);
    return Math.min(least, ...own);
  }, Number.POSITIVE_INFINITY);
  for (const underWay of cap >= LEAST_CAP ? [cap, null] : [null]) {
    const concerned = world.histories.map((history, at) =>
      (served[at] ?? []).filter((event) => (others.get(history)?.(event) ?? 0) >= (underWay ?? 0)),
    );
    // Nothing shows in which order simultaneous requests were decided, so only the number refused each time is stated.
    const groups = concerned
      .flatMap((events) => together(events))
      .map((group) => lossIn(group, (event) => early.has(event)));
    const bits = underWay === null ? 0 : bitsOfNumber(underWay);
    const oneIn = underWay === null ? Math.max(2, Math.round(concerned.flat().length / early.size)) : 1;
    yield {
      deviations: [{ operator: 'early-refusal', parameters: { kinds: [kind], underWay, oneIn } }],
      bits: DEVIATION_BITS + bits + bitsOfRace(groups),
      world: without,
    };
  }
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

/**
 * The most other requests of the key that can have been under way when a request was decided: those that were let
 * through and overlap it.
 */
function othersUnderWay({ key, events }: History, otherKind: readonly History[]): (event: Event) => number {
  const all = [events, ...otherKind.filter((other) => other.key === key).map((other) => other.events)]
    .flat()
    .filter(({ outcome }) => outcome !== 'refused');
  const { sent, answered } = timesOf(all);
  return (event) => upTo(sent, event.to) - upTo(answered, event.from) - (event.outcome === 'refused' ? 0 : 1);
}
