import { findBackward } from './backward.ts';
import { Checker, type Terms } from './checker.ts';
import { type Counting, givesBack } from './counting.ts';
import { countsOf } from './counts.ts';
import type { Event, History, Range } from './history.ts';
import { type Alternative, ANY_WINDOW, type Model, type Span } from './model.ts';

/** The three layers of evidence: decisions, Remaining, and Reset. Decisions are always judged. */
export interface Layers {
  readonly remaining: boolean;
  readonly reset: boolean;
}

export const DECISIONS: Layers = { remaining: false, reset: false };
export const WITH_REMAINING: Layers = { remaining: true, reset: false };
export const ALL_LAYERS: Layers = { remaining: true, reset: true };

/** Why a model does not explain a history. */
export interface Contradiction {
  readonly kind: 'overfull' | 'too late' | 'too early' | 'remaining' | 'reset' | 'marker moves' | 'marker goes back';
  /** The request that shows it; null for `overfull`. */
  readonly event: Event | null;
  /** What the model allowed for it; the first alternative if there are several. */
  readonly allowed: Alternative | null;
  /**
   * The alternative that only needs more requests counted before it, since the answer has its marker; absent if there
   * is none.
   */
  readonly lacking?: Alternative;
  /** Of `reset`: by how much the marker is off. */
  readonly off?: MarkerOff;
  readonly span: Span | null;
}

/** A marker that cannot be the end of the window that counted its request. */
export interface MarkerOff {
  /** By how many µs it is later than that end, at the least; negative: earlier. */
  readonly by: number;
  /** The answer whose marker shows the clock of the target; null: its `Date`, or nothing. */
  readonly against: Event | null;
}

export interface Outcome {
  readonly contradiction: Contradiction | null;
  /** How many requests the model explains before the first contradiction. */
  readonly explained: number;
  /** Server clock minus client clock (µs), narrowed by the markers. */
  readonly offset: Range;
  /** Indices of the events on which a contradiction depends, if these are single ones; empty for `overfull`. */
  readonly conflict: readonly number[];
}

/** A request that was certainly decided in this window. */
export interface Placed {
  readonly event: Event;
  readonly window: number;
}

/**
 * The first refusal, if it came too early under every mechanism; null: it did not. If refused requests also count, or
 * are remembered, each refusal of a burst may have come after the others, except for the first: it was decided before
 * the first refusal was answered, and after only requests that were not refused.
 */
function earlyRefusal({ events, limit, prior, shared }: History): FirstRefusal | null {
  if ((prior && prior.high > 0) || shared) return null;
  const known = FIRST.get(events) ?? firstRefusal(events);
  FIRST.set(events, known);
  return known.before < limit ? known : null;
}

interface FirstRefusal {
  readonly refusal: Event | null;
  /** How many requests can have been counted before it. */
  readonly before: number;
}

const FIRST = new WeakMap<readonly Event[], FirstRefusal>();

function firstRefusal(events: readonly Event[]): FirstRefusal {
  const refusals = events.filter(({ outcome }) => outcome === 'refused');
  const refusal = refusals.reduce<Event | null>((one, other) => (one && one.to <= other.to ? one : other), null);
  const before = events.filter(({ from, outcome }) => refusal && from <= refusal.to && outcome !== 'refused').length;
  return { refusal, before };
}

/**
 * How many events contradict a model, each ignored for those after it, and how many were examined. Contradictions by a
 * whole window are not counted.
 *
 * @param most the count stops above this number
 */
export function contradicted(
  model: Model,
  history: History,
  counting: Counting,
  layers: Layers,
  lag: number,
  most: number,
): { readonly count: number; readonly seen: number } {
  const checker = new Checker(termsOf(history, counting, true, false), counting, layers, lag);
  let count = 0;
  const { events } = history;
  for (let at = 0; at < events.length; at++) {
    const event = events[at];
    if (event && checker.take(model, event, at) !== null) count += 1;
    if (count > most) return { count, seen: at + 1 };
  }
  return { count, seen: events.length };
}

function termsOf(history: History, counting: Counting, whole: boolean, details: boolean): Terms {
  const { limit, shown, unit, offset, events, shared = false, racing = false } = history;
  return {
    limit,
    shown,
    unit,
    offset,
    shared,
    racing,
    // For a part of the events, it is unknown what may have been given back between them.
    falling: whole,
    returns: givesBack(events) ? countsOf(events, counting) : null,
    details,
    origin: events[0]?.from ?? 0,
    mostDrift: Number.POSITIVE_INFINITY,
  };
}

/**
 * Compares a model with a whole history.
 *
 * @param which indices (ascending) of the events to examine, instead of all: what contradicts a part contradicts the
 * whole, because each event only narrows what is left for the others. Then the contradiction has no details
 * @param placed receives the requests that can have been decided only in one window; null: not needed
 * @param single whether to find only contradictions by single requests, not by whole windows or bursts
 */
export function check(
  model: Model,
  history: History,
  counting: Counting,
  layers: Layers,
  lag: number,
  which: readonly number[] | null = null,
  placed: Placed[] | null = null,
  single = false,
): Outcome {
  const { limit, offset, events, racing = false } = history;
  const terms = termsOf(history, counting, which === null, which === null);
  const span = which || single || racing || terms.returns ? null : model.overfull(limit);
  if (span) {
    const contradiction: Contradiction = { kind: 'overfull', event: null, allowed: null, span };
    return { contradiction, explained: 0, offset, conflict: [] };
  }
  const checker = new Checker(terms, counting, layers, lag, placed);
  const early = single ? null : earlyRefusal(history);
  const backward = layers.reset ? (findBackward(history)?.later.event ?? null) : null;
  const count = which ? which.length : events.length;
  for (let index = 0; index < count; index++) {
    const at = which ? (which[index] ?? 0) : index;
    const event = events[at];
    if (event && event === early?.refusal) {
      const allowed = { ...ANY_WINDOW, high: early.before, resetLow: event.from };
      const contradiction: Contradiction = { kind: 'too early', event, allowed, span: null };
      return { contradiction, explained: checker.explained, offset: checker.offset, conflict: [at] };
    }
    if (event && event === backward) {
      const contradiction: Contradiction = { kind: 'marker goes back', event, allowed: null, span: null };
      return { contradiction, explained: checker.explained, offset: checker.offset, conflict: [at] };
    }
    const contradiction = event ? checker.take(model, event, at) : null;
    if (!contradiction) continue;
    return { contradiction, explained: checker.explained, offset: checker.offset, conflict: checker.conflict };
  }
  return { contradiction: null, explained: checker.explained, offset: checker.offset, conflict: [] };
}
