import type { MarkerHeader } from '../../deployment/deviations/marker-header.ts';
import { findBackward } from '../../oracle/backward.ts';
import { type History, type Range, WINDOW } from '../../oracle/history.ts';
import { UNJUDGED_BITS, VALUE_BITS } from './header-bits.ts';
import { bitsOfLength, roundest } from './round.ts';

const SECOND = 1_000_000;

/** Bits to state that the marker stays the end of the first window, rather than one of four other rules. */
const FIRST_BITS = 2;

/** How markers deviate, and the bits to state it. */
interface MarkerRule {
  readonly change: MarkerHeader['change'];
  readonly bits: number;
}

/** The rule of the markers, if they follow one, and its bits. */
export function ruleOfMarkers(histories: readonly History[]): MarkerRule {
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

/** Whether all markers lie as far after their answers: those of each status move. */
export function isAhead({ change }: MarkerRule): boolean {
  return typeof change === 'object' && 'ahead' in change;
}

/** Whether markers move within a window. */
export function isMovingRule({ change }: MarkerRule): boolean {
  return change === 'goes back' || (typeof change === 'object' && ('wobble' in change || 'scatter' in change));
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

/**
 * If all markers lie as far ahead to a second, those of one budget must differ by more than that to move with the
 * answers (µs).
 */
const LEAST_SPREAD = 3 * SECOND;
