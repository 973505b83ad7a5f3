import { type Answers, REFUSED, SUCCEEDED } from '../../deployment/answers.ts';
import { boundOf, type RemainingHeader } from '../../deployment/deviations/remaining-header.ts';
import type { Event, History } from '../../oracle/history.ts';
import { aloneIn, together } from '../../oracle/together.ts';
import { bitsOfNumber, bitsToChoose, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, statusOf, type World, withEvents } from '../world.ts';
import { RULE_BITS } from './header-bits.ts';
import { subsetsOf } from './subsets.ts';

/** The most offsets of Remaining that are tried for some answers: the most frequent ones. */
const MOST_OFFSETS = 2;

/** Bits to state that only what is refused is told rightly: the same code writes the headers of all that is not. */
const PASSED_BITS = 1;

/** By how many requests Remaining may be late. */
const STALE = [1, 2, 3];

/** Simultaneous requests then show nothing, so at least this many requests of a budget must be single. */
const FEWEST_TOLD = 6;

/** Remaining that follows a wrong rule from which the number left can still be computed. It is read with this rule. */
export function* proposeRemainingRules(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.remaining) return;
  const told = world.histories.flatMap(({ events }) => events.flatMap(toldBy));
  if (told.length === 0) return;
  const propose = (change: RemainingHeader['change'], only: Answers, bits: number): Proposal => ({
    deviations: [{ operator: 'remaining-header', parameters: { kinds: [kind], change, only } }],
    bits: DEVIATION_BITS + bits,
    world: changed(world, (history) => {
      const left = leftBehind(history, change);
      return withEvents(history, (event) => (isMeant(only, event) ? { ...event, remaining: left(event) } : event));
    }),
  });
  yield propose('used', 'all', RULE_BITS);
  for (const stale of STALE) {
    const proposal = propose({ stale }, 'all', RULE_BITS + bitsOfNumber(stale));
    if (proposal.world.histories.some(({ events }) => events.filter(tells).length >= FEWEST_TOLD)) yield proposal;
  }
  // A handler of errors usually does this for both kinds, though not each of them has an answer of each status.
  const both = [...world.histories, ...otherKind];
  // What is told too high is never below the number by which it is, on refusals either.
  const isTooLow = (offset: number, isOf: (answer: (typeof told)[number]) => boolean): boolean =>
    told.some((answer) => answer.remaining < offset && isOf(answer));
  for (const { offset } of offsetsOf(world.histories, 'all')) {
    if (!isTooLow(offset, () => true)) yield propose({ offset }, 'all', bitsOfNumber(offset));
  }
  const statuses = [...new Set(both.flatMap(({ events }) => events.flatMap(toldBy)).map(({ status }) => status))].sort(
    (one, other) => one - other,
  );
  const passed = statuses.filter((status) => status !== REFUSED);
  /** What the first request of a window leaves. */
  const most = Math.max(...world.histories.map(({ shown }) => shown - 1));
  const mostPassed = told.reduce(
    (sum, { status, remaining }) => (status === REFUSED ? sum : Math.max(sum, remaining)),
    0,
  );
  const refusals = told.flatMap(({ status, remaining }) => (status === REFUSED ? [remaining] : []));
  for (const { change, isOfAll } of boundsOf(told, most)) {
    const bits = RULE_BITS + bitsOfNumber(boundOf(change) ?? 0);
    yield propose(change, isOfAll ? 'all' : { statuses: passed }, bits);
  }
  const failed = passed.filter((status) => status !== SUCCEEDED);
  const sets = new Map([...subsetsOf(failed), [SUCCEEDED], [REFUSED], passed].map((set) => [set.join(), set]));
  const offsets = new Map(statuses.map((status) => [status, offsetsOf(both, { statuses: [status] })]));
  const able = [...sets.values()].filter((set) =>
    set.some((status) => told.some((answer) => answer.status === status)),
  );
  const candidates = able.flatMap((set) => {
    const shown = Map.groupBy(
      set.flatMap((status) => offsets.get(status) ?? []),
      ({ offset }) => offset,
    );
    return [...shown].map(([offset, own]) => ({
      ...{ set, offset },
      hidden: set.length - own.length,
      times: own.reduce((sum, { times }) => sum + times, 0),
    }));
  });
  // Where answers with a wrong Remaining follow each other, one hides the offset of the other.
  candidates.sort((one, other) => one.hidden - other.hidden || other.times - one.times);
  for (const { set, offset } of candidates) {
    if (isTooLow(offset, ({ status }) => set.includes(status))) continue;
    // Where no other answer is seen, nothing shows that the others are wrong as well.
    const isSeen = told.some(({ status }) => !set.includes(status));
    const choice = set === passed ? Number(isSeen) * PASSED_BITS : bitsToChoose(statuses.length, set.length);
    const own = propose({ offset }, { statuses: set }, bitsOfNumber(offset) + choice);
    // Where the limiter refuses, none is left, and where it accepts, not all: another number is wrong, whatever else is.
    const isStated =
      (set.every((status) => status === REFUSED) && refusals.every((each) => each === offset)) ||
      (set === passed && mostPassed === most + offset && offset > 0);
    yield isStated ? { ...own, isStated } : own;
  }
}

/** A value that is told so often is hardly the last or the first of that many windows. */
const FEWEST_AT_BOUND = 3;

/**
 * The lowest and the highest Remaining of requests that are not refused, if it is told often, on refusals too; and
 * whether these keep to it, which usually say that none is left.
 *
 * @param most what the first request of a window leaves: it is told often anyway
 */
function boundsOf(
  told: readonly ReturnType<typeof toldBy>[number][],
  most: number,
): readonly { readonly change: RemainingHeader['change']; readonly isOfAll: boolean }[] {
  const values = told.flatMap(({ status, remaining }) => (status === REFUSED ? [] : [remaining]));
  const isOften = (bound: number): boolean =>
    told.filter(({ remaining }) => remaining === bound).length >= FEWEST_AT_BOUND;
  const atLeast = values.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  const atMost = values.reduce((most, each) => Math.max(most, each), 0);
  const isOfAll = told.every(({ remaining }) => remaining >= atLeast);
  return [
    ...(atLeast > 0 && isOften(atLeast) ? [{ change: { atLeast }, isOfAll }] : []),
    ...(atMost < most && isOften(atMost) ? [{ change: { atMost }, isOfAll: true }] : []),
  ];
}

/** The status of an answer with a Remaining, and this Remaining. */
function toldBy(event: Event): readonly { readonly status: number; readonly remaining: number }[] {
  const { remaining } = event;
  return remaining === null ? [] : statusOf(event).map((status) => ({ status, remaining }));
}

function isMeant(only: Answers, event: Event): boolean {
  return toldBy(event).some(({ status }) => only === 'all' || only.statuses.includes(status));
}

/** The number left that a Remaining means under this rule; null if it shows none. */
export function leftBehind(
  { events, shown }: History,
  change: RemainingHeader['change'],
): (event: Event) => number | null {
  if (change === 'used') return ({ remaining }) => (remaining === null ? null : shown - remaining);
  if (typeof change === 'object' && 'stale' in change) {
    const later = toldLater(events, change.stale);
    return (event) => later.get(event) ?? null;
  }
  const bound = boundOf(change);
  // At the bound itself, less or more may be left.
  if (bound !== null) return ({ remaining }) => (remaining === bound ? null : remaining);
  const offset = typeof change === 'object' && 'offset' in change ? change.offset : 0;
  // Remaining is never below 0.
  return ({ remaining }) => (remaining === null || (remaining === 0 && offset < 0) ? null : remaining - offset);
}

/** The Remaining this many requests later, if each request was single and all have the marker of one window. */
function toldLater(events: readonly Event[], requests: number): ReadonlyMap<Event, number | null> {
  const groups = together(events);
  return new Map(
    groups.flatMap((_, at) => {
      const next = groups.slice(at, at + requests + 1);
      const [first] = next[0] ?? [];
      const last = next[requests]?.[0];
      const isOne = next.every(([event, ...more]) => more.length === 0 && event && isOfWindow(event, first));
      return first && last && isOne ? [[first, last.remaining] as const] : [];
    }),
  );
}

function isOfWindow({ reset, outcome }: Event, other: Event | undefined): boolean {
  return outcome === 'accepted' && reset !== null && reset === other?.reset;
}

function tells({ remaining }: Event): boolean {
  return remaining !== null;
}

interface Offset {
  readonly offset: number;
  /** How many answers show it. */
  readonly times: number;
}

/**
 * The possible offsets of Remaining on some answers: the difference between the highest Remaining and what the first
 * request of a window leaves; or, of requests that were under way by themselves, the difference between one of these
 * answers and what the answer before it, another one, leaves.
 */
function offsetsOf(histories: readonly History[], only: Answers): readonly Offset[] {
  const counts = new Map<number, number>();
  const add = (offset: number): void => {
    if (offset !== 0) counts.set(offset, (counts.get(offset) ?? 0) + 1);
  };
  for (const { events, shown } of histories) {
    // Where a request is refused, none is left.
    for (const { outcome, remaining } of only === 'all' ? [] : events.filter((event) => isMeant(only, event))) {
      if (outcome === 'refused' && remaining !== null) add(remaining);
    }
    const accepted = events.filter((event) => event.outcome === 'accepted' && isMeant(only, event));
    const most = accepted.reduce((sum, { remaining }) => Math.max(sum, remaining ?? 0), 0);
    if (accepted.length > 0) add(most - (shown - 1));
    const alone = aloneIn(events);
    for (const [at, event] of alone.entries()) {
      const before = alone[at - 1];
      const [left] = before && !isMeant(only, before) ? toldBy(before) : [];
      if (!left || left.status === REFUSED || !isMeant(only, event)) continue;
      add((event.remaining ?? 0) - left.remaining);
      add((event.remaining ?? 0) - left.remaining + 1);
    }
  }
  const often = [...counts].sort(([a, one], [b, other]) => other - one || Math.abs(a) - Math.abs(b));
  return often.slice(0, MOST_OFFSETS).map(([offset, times]) => ({ offset, times }));
}
