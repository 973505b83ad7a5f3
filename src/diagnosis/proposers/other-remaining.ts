import { type Answers, isAnswerOf, REFUSED, SUCCEEDED } from '../../deployment/answers.ts';
import { below, numbersOf, upTo } from '../../oracle/ascending.ts';
import { type Event, type History, limitOf, WINDOW } from '../../oracle/history.ts';
import { statedRemaining } from '../../oracle/make-history.ts';
import { MARKED } from '../../oracle/shapes.ts';
import { type Exchange, type Kind, otherThan } from '../../trace/exchange.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { statusOf, untold, type World } from '../world.ts';
import { RULE_BITS } from './header-bits.ts';

/** µs: markers are told in whole seconds. */
const TICK = 1_000_000;

/** To within how many requests the other kind's answers tell what is left, where they tell it. */
const NEAR = 3;

/** At least so many answers must tell it. */
const FEWEST_TOLD = 3;

/**
 * Remaining that is what is left of the other kind's budget: on all answers, those with one status, or all failed ones,
 * as where one handler writes them. It says nothing of its own budget. Or it is the lower number of both: then it says
 * something only where it is not the other one.
 */
export function* proposeOtherRemaining(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.remaining) return;
  const statuses = [...new Set(world.histories.flatMap(({ events }) => events.flatMap(statusOf)))].sort();
  const failed = statuses.filter((status) => status !== SUCCEEDED && status !== REFUSED);
  const sets = [...statuses.map((status) => [status]), ...(failed.length > 1 ? [failed] : [])];
  yield* proposeLowerOfBoth(world, kind, otherKind);
  for (const only of ['all', ...sets.map((set) => ({ statuses: set }))] as const) {
    const isMeant = (event: Event): boolean =>
      only === 'all' || statusOf(event).some((status) => only.statuses.includes(status));
    const told = world.histories.flatMap((own) => {
      // The same handler may write theirs.
      const others = otherKind
        .filter(({ key }) => key === own.key)
        .flatMap(({ events }) => events.filter((event) => only === 'all' || !isMeant(event)));
      const answers = own.events.filter(({ exchange }) => only === 'all' || isAnswerOf(only, exchange));
      return toldOfOthers(answers, others, limitOf(otherThan(kind)));
    });
    if (![Number.POSITIVE_INFINITY, limitOf(kind)].some((cap) => areOfOthers(told, cap))) continue;
    yield {
      deviations: [{ operator: 'remaining-header', parameters: { kinds: [kind], change: 'other kind', only } }],
      bits: DEVIATION_BITS + RULE_BITS + bitsOfAnswers(only, sets.length),
      world: {
        ...untold(world, ['remaining'], isMeant),
        shapes: only === 'all' ? world.shapes.filter((shape) => MARKED.includes(shape)) : world.shapes,
      },
    };
  }
}

/**
 * Remaining that is the lower number of both kinds: where it may be the other one, it says nothing of its own budget.
 * Then no answer of either kind tells more than is left of the other kind.
 */
function* proposeLowerOfBoth(world: World, kind: Kind, otherKind: readonly History[]): Iterable<Proposal> {
  const own = toldBeside(world.histories, otherKind, otherThan(kind));
  const all = [...own, ...toldBeside(otherKind, world.histories, kind)];
  if (all.some(({ remaining, high }) => remaining > high) || all.filter(isExact).length < FEWEST_TOLD) return;
  // What is answered at the same time may have been counted in another order.
  const others = new Set(own.filter(({ remaining, low }) => remaining >= low - NEAR).map(({ exchange }) => exchange));
  yield {
    deviations: [
      { operator: 'remaining-header', parameters: { kinds: [kind], change: 'lower of both kinds', only: 'all' } },
    ],
    // It is one more rule.
    bits: DEVIATION_BITS + RULE_BITS + 1,
    world: {
      ...untold(world, ['remaining'], ({ exchange }) => others.has(exchange)),
      shapes: world.shapes.filter((shape) => MARKED.includes(shape)),
    },
  };
}

/**
 * What answers tell, and what is left beside them of budgets of the other kind: these tell it only where it is not what
 * is left here.
 */
function toldBeside(histories: readonly History[], beside: readonly History[], otherKind: Kind): readonly Told[] {
  return histories.flatMap((own) => {
    const others = beside.filter(({ key }) => key === own.key).flatMap(({ events }) => events);
    const lastOwn = lastTold(own.events);
    const theirs = others.filter(({ remaining, from }) => (remaining ?? 0) < lastOwn(from) - NEAR);
    const judged = own.events.filter(({ remaining }) => remaining !== null);
    return toldOfOthers(judged, theirs, limitOf(otherKind));
  });
}

/** The Remaining of the last of these answers before a moment; infinite if there is none. */
function lastTold(events: readonly Event[]): (moment: number) => number {
  const byEnd = events.filter(({ remaining }) => remaining !== null).sort((one, other) => one.to - other.to);
  const ends = numbersOf(byEnd, ({ to }) => to);
  return (moment) => byEnd[below(ends, moment) - 1]?.remaining ?? Number.POSITIVE_INFINITY;
}

function bitsOfAnswers(only: Answers, sets: number): number {
  return only === 'all' ? 0 : Math.log2(1 + sets);
}

/** A Remaining, and how much can be left of the other kind at this moment. */
interface Told {
  readonly exchange: Exchange;
  readonly remaining: number;
  readonly low: number;
  readonly high: number;
}

/** Answers that are not judged, because it is open how they are counted, tell it as well. */
function toldOfOthers(answers: readonly Event[], others: readonly Event[], limit: number): readonly Told[] {
  const telling = others.filter(({ remaining }) => remaining !== null);
  const byEnd = telling.toSorted((one, other) => one.to - other.to);
  const bySent = telling.toSorted((one, other) => one.from - other.from);
  const ends = numbersOf(byEnd, ({ to }) => to);
  const sent = numbersOf(bySent, ({ from }) => from);
  return answers.flatMap(({ from, to, exchange }) => {
    const remaining = statedRemaining(exchange);
    if (remaining === null) return [];
    const before = byEnd[below(ends, from) - 1];
    const after = bySent[upTo(sent, to)];
    const left = before?.remaining ?? limit;
    const later = after?.remaining ?? 0;
    // A window that ends in between gives all of them back.
    const isOver = !before || before.from < from - WINDOW || (before.reset !== null && before.reset < to + TICK);
    return [
      {
        exchange,
        remaining,
        low: later > left ? 0 : later,
        high: isOver || later > left ? limit : left,
      },
    ];
  });
}

function isExact({ low, high }: Pick<Told, 'low' | 'high'>): boolean {
  return high - low <= NEAR;
}

/** Whether all of these are what is left of the other kind, or `cap` if that is more, and some tell it exactly. */
function areOfOthers(told: readonly Told[], cap: number): boolean {
  const exact = told.filter(({ low, high }) => isExact({ low: Math.min(low, cap), high: Math.min(high, cap) }));
  return (
    new Set(exact.map(({ remaining }) => remaining)).size > 1 &&
    exact.length >= FEWEST_TOLD &&
    told.every(({ remaining, low, high }) => remaining >= Math.min(low, cap) && remaining <= Math.min(high, cap))
  );
}
