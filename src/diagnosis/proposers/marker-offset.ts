import { type Answers, isAnswerOf } from '../../deployment/answers.ts';
import { HOUR } from '../../deployment/deployment.ts';
import type { Event, History, Range } from '../../oracle/history.ts';
import type { Kind } from '../../trace/exchange.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { sameDeviations } from '../same-rule.ts';
import { isDecided, markedLater, statusOf, type World } from '../world.ts';
import { bitsOfLength, roundest, roundestAmid } from './round.ts';

/**
 * Markers that all lie the same time before or after the ends of windows, on all answers or on those with some
 * statuses. They are read with this time subtracted.
 */
export function* proposeMarkerOffsets(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.reset) return;
  const told = world.histories.flatMap(({ events }) => events.filter(({ reset }) => reset !== null));
  const statuses = [...new Set(told.flatMap(statusOf))].sort();
  const isOff = (which: readonly number[]): Range | null =>
    offsetOfMarkers(world.histories, world.window, (event) => statusOf(event).some((status) => which.includes(status)));
  const decided = [...new Set(told.filter(isDecided).flatMap(statusOf))];
  // Answers of one status alone may show no offset, where all of them together do.
  const areAll = isOff(decided) !== null;
  // A deployment that counts no failed requests may state anything beside them.
  const wrong = areAll ? decided : statuses.filter((status) => isOff([status]));
  const range = wrong.length === 0 ? null : isOff(wrong);
  const only = areAll ? 'all' : { statuses: wrong };
  const seen = range === null || areAll ? null : differenceIn(world.histories, range, (event) => isOf(only, event));
  const offsets = range === null ? [] : seen === null ? likelyIn(range, world.histories) : [seen];
  const near = areAll ? [] : [...amongNeighbours(world, kind, statuses)];
  // No window of a minute ends so long before or after the `Date` of its answers.
  const off = offsets.map((offset) => {
    const proposal = offBy(offset, only, world, kind, statuses);
    const isStated = areAll || near.some((each) => sameDeviations(each.deviations, proposal.deviations));
    return isStated ? { ...proposal, isStated } : proposal;
  });
  yield* off;
  yield* near.filter((each) => !off.some((own) => sameDeviations(each.deviations, own.deviations)));
}

function isOf(only: Answers, { exchange }: Event): boolean {
  return isAnswerOf(only, exchange);
}

/** @param statuses those of all answers with a marker */
function offBy(offset: number, only: Answers, world: World, kind: Kind, statuses: readonly number[]): Proposal {
  return {
    deviations: [{ operator: 'marker-header', parameters: { kinds: [kind], change: { offset }, only } }],
    bits: DEVIATION_BITS + bitsOfLength(offset) + (only === 'all' ? 0 : Math.log2(1 + statuses.length)),
    world: markedLater(world, -offset, (event) => isOf(only, event)),
  };
}

/**
 * Answers of some statuses whose marker always differs by the same time from that of the answers before and after them,
 * which agree: these are wrong, or all others.
 */
function* amongNeighbours(world: World, kind: Kind, statuses: readonly number[]): Iterable<Proposal> {
  const byDifference = Map.groupBy(
    statuses.flatMap((status) => {
      const by = differenceBetween(world.histories, ({ exchange }) => exchange.status === status);
      return by === null ? [] : [{ status, by }];
    }),
    ({ by }) => by,
  );
  for (const [by, own] of byDifference) {
    const wrong = own.map(({ status }) => status);
    const right = statuses.filter((status) => !wrong.includes(status));
    for (const [offset, which] of [[by, wrong] as const, [-by, right] as const]) {
      yield { ...offBy(offset, { statuses: which }, world, kind, statuses), isStated: true };
    }
  }
}

/**
 * By how much the markers of some answers lie after those of the answers before and after each of them, which agree, in
 * µs. Null if there are none, or not all lie the same time after these.
 */
export function differenceBetween(histories: readonly History[], isMeant: (event: Event) => boolean): number | null {
  const found = histories.flatMap(({ events, unit }) => {
    const told = events.filter(({ reset }) => reset !== null);
    return told.flatMap((event, at) => {
      const [before, after] = [told[at - 1], told[at + 1]];
      if (!isMeant(event) || !before || isMeant(before)) return [];
      const by = (event.reset ?? 0) - (before.reset ?? 0);
      return before.reset === after?.reset && Math.abs(by) > (unit ?? 0) ? [by] : [];
    });
  });
  const [first = null] = found;
  return found.every((each) => each === first) ? first : null;
}

/**
 * What an offset within these bounds is likely to be. It is the least one if some window began just before its first
 * answer; then it is only uncertain by the clock and the rounding of markers. Otherwise it is longer, and can only be
 * known if it is rounder.
 */
function likelyIn({ low, high }: Range, histories: readonly History[]): readonly number[] {
  const uncertain = Math.max(...histories.map(({ offset, unit }) => offset.high - offset.low + 2 * (unit ?? 0)));
  const least = roundestAmid({ low, high: Math.min(high, low + uncertain) });
  const other = zoneIn({ low, high }) ?? roundest({ low, high });
  return bitsOfLength(other) < bitsOfLength(least) ? [other, least] : [least];
}

/** Time zones differ by whole and half hours, in µs. */
const HALF_HOUR = HOUR / 2;

/** The difference between two time zones that lies between these bounds; null if none does. */
function zoneIn({ low, high }: Range): number | null {
  const zone = Math.ceil(low / HALF_HOUR) * HALF_HOUR;
  return zone !== 0 && zone <= high ? zone : null;
}

/**
 * By how much the markers of some answers lie after that of the answer before each of them, another one: the most
 * frequent difference within these bounds (µs), which is exact where both are of one window. Null if there is none.
 */
function differenceIn(
  histories: readonly History[],
  { low, high }: Range,
  isMeant: (event: Event) => boolean,
): number | null {
  const times = new Map<number, number>();
  for (const { events } of histories) {
    let before: number | null = null;
    for (const event of events) {
      if (event.reset === null) continue;
      if (!isMeant(event)) {
        before = event.reset;
        continue;
      }
      const difference: number = before === null ? Number.NaN : event.reset - before;
      if (difference >= low && difference <= high) times.set(difference, (times.get(difference) ?? 0) + 1);
    }
  }
  const [most] = [...times].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? null;
}

/**
 * How long after the ends of windows the markers of these answers lie (µs): each window ends after its requests were
 * decided, and at most a window after them. Null if this may be zero, if it is not the same for all, or if the offset
 * of the clocks is unknown.
 */
export function offsetOfMarkers(
  histories: readonly History[],
  window: number,
  isMeant: (event: Event) => boolean,
): Range | null {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  for (const { events, offset, unit } of histories) {
    if (!Number.isFinite(offset.low) || !Number.isFinite(offset.high)) return null;
    for (const event of events) {
      const { reset, from, to } = event;
      if (reset === null || !isMeant(event)) continue;
      low = Math.max(low, reset - (unit ?? 0) - to - window - offset.high);
      high = Math.min(high, reset + (unit ?? 0) - from - offset.low);
    }
  }
  return low > high || (low <= 0 && high >= 0) || !Number.isFinite(low) ? null : { low, high };
}
