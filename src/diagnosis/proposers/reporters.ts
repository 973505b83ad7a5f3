import type { MarkerHeader } from '../../deployment/deviations/marker-header.ts';
import type { RemainingHeader } from '../../deployment/deviations/remaining-header.ts';
import { findBackward } from '../../oracle/backward.ts';
import { type Event, type History, type Range, singleInteger, WINDOW } from '../../oracle/history.ts';
import { FORGETFUL, MARKED } from '../../oracle/shapes.ts';
import type { Kind } from '../../trace/exchange.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { untold, type World, withEvents } from '../world.ts';
import { bitsOfLength, roundest } from './round.ts';

/** Bits to state one value of a header, or a constant offset: one of 128. */
export const VALUE_BITS = 7;

/** Bits to state that Remaining is the limit, or the number used, rather than one of six other rules. */
export const RULE_BITS = 3;

/** Bits to state that the marker stays the end of the first window, rather than one of four other rules. */
const FIRST_BITS = 2;

/** Bits for a header that follows no rule and is not judged: more than for a rule with three values. */
export const UNJUDGED_BITS = 4 * VALUE_BITS;

/**
 * Headers that do not follow what the limiter does: Remaining or Reset, on all answers or on those with one status.
 * Those that take few bits come first: a header without a rule takes much work to refute.
 */
export function proposeReporters(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.remaining || !world.layers.reset) return [];
  return [...reportersOf(world, kind)].sort((one, other) => one.bits - other.bits);
}

function* reportersOf(world: World, kind: Kind): Iterable<Proposal> {
  const limit = world.histories[0]?.shown ?? 0;
  const unit = unitOf(world.histories);
  const statuses = new Set(world.histories.flatMap(({ events }) => events.flatMap(statusOf)));
  const all = [...statuses].sort().map((status) => ({ statuses: [status] }));
  for (const only of ['all', ...all, 'openers'] as const) {
    const bits = DEVIATION_BITS + (only === 'all' ? 0 : Math.log2(1 + statuses.size));
    const isMeant = (event: Event): boolean => {
      if (only === 'openers') return event.outcome === 'accepted' && event.remaining === limit - 1;
      return only === 'all' || statusOf(event).some((status) => only.statuses.includes(status));
    };
    const meant = world.histories.map((history) => withEvents(history, (event) => (isMeant(event) ? event : null)));
    const values = new Set(
      meant.flatMap(({ events }) =>
        events.flatMap(({ outcome, remaining }) =>
          remaining === null || (outcome === 'refused' && only === 'all') ? [] : [remaining],
        ),
      ),
    );
    const isRight = meant.every(({ events }) =>
      events.every((event) => event.outcome === 'refused' && event.remaining === 0),
    );
    if (values.size > 0 && only !== 'openers' && !isRight) {
      const { change, bits: more } = ruleOfValues(values, world);
      yield {
        deviations: [{ operator: 'remaining-header', parameters: { kinds: [kind], change, only } }],
        bits: bits + more,
        world: {
          ...untold(world, ['remaining'], isMeant),
          // Without any Remaining, a counter that counts refusals and may state any slot would explain almost
          // everything.
          shapes: only === 'all' ? world.shapes.filter((shape) => MARKED.includes(shape)) : world.shapes,
        },
      };
    }
    const isMoving = (by: (event: Event) => boolean): boolean =>
      isMovingRule(ruleOfMarkers(meant.map((history) => withEvents(history, (event) => (by(event) ? event : null)))));
    const rule = ruleOfMarkers(meant);
    // If the markers of one status move and all others stay, only that status has the wrong marker.
    const isOfOne = only === 'all' && !isAhead(rule) && [...statuses].some((status) => isOnlyOf(status, isMoving));
    if (!isOfOne && meant.some(({ events }) => events.some(({ reset }) => reset !== null))) {
      const { change, bits: more } =
        only !== 'all' && areInOtherUnit(meant, unit) ? { change: 'other unit' as const, bits: RULE_BITS } : rule;
      yield {
        deviations: [{ operator: 'marker-header', parameters: { kinds: [kind], change, only } }],
        bits: bits + more,
        world: {
          ...untold(world, ['reset'], isMeant),
          shapes: only === 'all' ? world.shapes.filter((shape) => FORGETFUL.includes(shape)) : world.shapes,
        },
      };
    }
  }
}

function isOnlyOf(status: number, isMoving: (by: (event: Event) => boolean) => boolean): boolean {
  const has = (event: Event): boolean => statusOf(event).includes(status);
  return isMoving(has) && !isMoving((event) => !has(event));
}

/** Whether all markers lie as far after their answers: those of each status move. */
function isAhead({ change }: ReturnType<typeof ruleOfMarkers>): boolean {
  return typeof change === 'object' && 'ahead' in change;
}

/** Whether markers move within a window. */
function isMovingRule({ change }: { readonly change: MarkerHeader['change'] }): boolean {
  return change === 'goes back' || (typeof change === 'object' && ('wobble' in change || 'scatter' in change));
}

/** The rule of these values of Remaining, if they are all one value or all multiples of one, and its bits. */
function ruleOfValues(
  values: ReadonlySet<number>,
  { histories }: World,
): { readonly change: RemainingHeader['change']; readonly bits: number } {
  const [value] = values;
  if (values.size === 1 && value !== undefined) {
    if (histories.every(({ shown }) => shown === value)) return { change: 'the limit', bits: RULE_BITS };
    return { change: { constant: value }, bits: VALUE_BITS };
  }
  const divisor = [...values].reduce(greatestCommonDivisor);
  return values.size >= FEWEST_MULTIPLES && divisor > 1
    ? { change: { roundedDownTo: divisor }, bits: RULE_BITS + bitsOfNumber(divisor) }
    : { change: 'no rule', bits: UNJUDGED_BITS };
}

/** Two numbers often have a common divisor; three have one in about one of six cases (1 − 1 / ζ(3)). */
const FEWEST_MULTIPLES = 3;

export function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? Math.abs(one) : greatestCommonDivisor(other, one % other);
}

/** The rule of the markers, if they follow one, and its bits. */
function ruleOfMarkers(histories: readonly History[]): {
  readonly change: MarkerHeader['change'];
  readonly bits: number;
} {
  if (histories.every(hasOneMarker) && histories.some(outlivesMarker)) return { change: 'first end', bits: FIRST_BITS };
  const ahead = alwaysAhead(histories);
  if (ahead !== null) return { change: { ahead }, bits: Math.min(VALUE_BITS, bitsOfLength(ahead)) };
  const goesBack = histories.some((history) => findBackward(history) !== null);
  const wobble = goesBack ? wobbleOf(histories) : null;
  if (wobble !== null) return { change: { wobble }, bits: bitsOfLength(wobble) };
  const scatter = scatterOf(histories);
  if (scatter !== null) return { change: { scatter }, bits: VALUE_BITS + bitsOfLength(scatter) };
  return { change: goesBack ? 'goes back' : 'no rule', bits: UNJUDGED_BITS };
}

/** Factors between units that are used for markers: seconds, milliseconds and microseconds. */
const FACTORS = [1e-6, 1e-3, 1e3, 1e6];

/**
 * Whether all markers lie between their answers and the end of a window, to the second, if they are in some other unit.
 *
 * @param unit in which the markers of the run are read, in µs
 */
function areInOtherUnit(histories: readonly History[], unit: number | null): boolean {
  if (unit === null) return false;
  return FACTORS.some((factor) =>
    histories.every(({ events, offset }) => {
      const clock = Number.isFinite(offset.low + offset.high) ? offset : { low: 0, high: 0 };
      return events.every(({ reset, from, to, exchange }) => {
        const value = singleInteger(exchange.headers.reset);
        if (reset === null || value === null) return true;
        const end = reset + value * unit * (factor - 1);
        return end >= from + clock.low - SECOND && end <= to + WINDOW + clock.high + SECOND;
      });
    }),
  );
}

/** The unit in which markers are read, in µs; null if none differ. */
export function unitOf(histories: readonly History[]): number | null {
  let first: { readonly reset: number; readonly value: number } | null = null;
  for (const { reset, exchange } of histories.flatMap(({ events }) => events)) {
    const value = singleInteger(exchange.headers.reset);
    if (reset === null || value === null) continue;
    first ??= { reset, value };
    if (value !== first.value) return (reset - first.reset) / (value - first.value);
  }
  return null;
}

/**
 * By how much some markers lie after others of the same window (µs), where each window has two at the most, which lie
 * equally far apart in all; else null.
 */
function wobbleOf(histories: readonly History[]): number | null {
  const told = histories.map(({ events, unit }) => ({
    unit: unit ?? 0,
    markers: [...new Set(events.flatMap(({ reset }) => reset ?? []))].sort((one, other) => one - other),
  }));
  const apart = told.flatMap(({ markers }) => markers.slice(1).map((marker, at) => marker - (markers[at] ?? marker)));
  const wobble = apart.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  if (wobble > WINDOW / 2) return null;
  const isInPairs = told.every(({ unit, markers }) => {
    let end = Number.NEGATIVE_INFINITY;
    return markers.every((marker) => {
      if (Math.abs(marker - end - wobble) <= unit) return true;
      const isNext = marker - end >= WINDOW - unit;
      end = marker;
      return isNext;
    });
  });
  return isInPairs ? wobble : null;
}

/**
 * How far apart the markers of one window lie at most (µs, whole seconds), if all lie in groups as far apart as
 * windows, and some group has more than two; else null.
 */
function scatterOf(histories: readonly History[]): number | null {
  const windows = histories.flatMap(({ events }) => {
    const groups: number[][] = [];
    for (const marker of [...new Set(events.flatMap(({ reset }) => reset ?? []))].sort((one, other) => one - other)) {
      const group = groups.at(-1);
      if (group && marker - (group[0] ?? 0) < WINDOW / 2) group.push(marker);
      else groups.push([marker]);
    }
    return groups;
  });
  const spread = windows.reduce((most, group) => Math.max(most, (group.at(-1) ?? 0) - (group[0] ?? 0)), 0);
  const isScattered = windows.some((group) => group.length > 2) && spread <= MOST_SCATTERED;
  return isScattered ? Math.ceil(spread / SECOND) * SECOND : null;
}

/** Markers that lie further apart than this (µs) are not scattered around the end of one window. */
const MOST_SCATTERED = WINDOW / 4;

/** Whether all markers of a budget are equal. */
function hasOneMarker({ events, unit }: History): boolean {
  const told = events.flatMap(({ reset }) => reset ?? []);
  return told.every((reset) => Math.abs(reset - (told[0] ?? reset)) <= (unit ?? 0));
}

/** Whether a marker of a budget is stated for longer than a window. */
function outlivesMarker({ events, unit }: History): boolean {
  const marked = events.filter(({ reset }) => reset !== null);
  return (marked.at(-1)?.from ?? 0) - (marked[0]?.to ?? 0) > WINDOW + (unit ?? 0);
}

/** The status of an answer that belongs to a budget. */
export function statusOf({ outcome, exchange }: Event): readonly number[] {
  const tells = outcome === 'accepted' || outcome === 'refused' || outcome === 'failed';
  return tells && exchange.status !== null ? [exchange.status] : [];
}

/**
 * How long after its answer every marker lies (µs), as the roundest possible number, if it is the same for all except
 * for a drifting clock; otherwise null.
 */
export function alwaysAhead(histories: readonly History[]): number | null {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  let spread = 0;
  let clock: Range = { low: 0, high: 0 };
  for (const { events, unit, offset } of histories) {
    let first = Number.POSITIVE_INFINITY;
    let last = Number.NEGATIVE_INFINITY;
    if (Number.isFinite(offset.low) && Number.isFinite(offset.high)) clock = offset;
    for (const { outcome, reset, from, to } of events) {
      if (reset === null || (outcome !== 'accepted' && outcome !== 'refused')) continue;
      low = Math.max(low, reset - (unit ?? 0) - to);
      high = Math.min(high, reset + (unit ?? 0) - from);
      first = Math.min(first, reset);
      last = Math.max(last, reset);
    }
    spread = Math.max(spread, last - first);
  }
  if (low > high + SECOND || spread < LEAST_SPREAD) return null;
  return roundest({ low: Math.min(low, high) - clock.high, high: Math.max(low, high) - clock.low });
}

const SECOND = 1_000_000;

/**
 * If all markers lie as far ahead to a second, those of one budget must differ by more than that to move with the
 * answers (µs).
 */
const LEAST_SPREAD = 3 * SECOND;
