import { findBackward } from './backward.ts';
import { Checker, type Terms } from './checker.ts';
import { type Counting, countsOf, givesBack } from './counts.ts';
import type { Event, History, Range } from './history.ts';
import type { Alternative, Model, Span } from './model.ts';

/** The three layers of evidence: who was accepted when; what Remaining said; what Reset said. Decisions are always judged. */
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
  /** The request at which it shows; null for `overfull`. */
  readonly event: Event | null;
  /** What the model allowed for it; the first where there are several. */
  readonly allowed: Alternative | null;
  readonly span: Span | null;
}

export interface Outcome {
  readonly contradiction: Contradiction | null;
  /** How many requests the model explains before the first contradiction. */
  readonly explained: number;
  /** Server clock less client clock (µs), narrowed by the markers. */
  readonly offset: Range;
  /** Indices of the events that a contradiction rests on, as far as it rests on single ones; empty for `overfull`. */
  readonly conflict: readonly number[];
}

/** A request whose decision fell in this window, and in no other. */
export interface Placed {
  readonly event: Event;
  readonly window: number;
}

/**
 * The first refusal, where it came too early under every mechanism; null: it did not. Where refused requests count too, or are
 * remembered, those of a burst may each have come after the others, save for the one that was refused first: it was
 * decided no later than the first was answered, and found only what had not been refused.
 */
function earlyRefusal({ events, limit, prior, shared }: History): FirstRefusal | null {
  if (prior || shared) return null;
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
 * How many events contradict a model, each left out of account for those after it, and how many were looked at. What only a whole window
 * contradicts is not counted.
 *
 * @param most where there are more, they are not counted to the end
 */
export function contradicted(
  model: Model,
  history: History,
  counting: Counting,
  layers: Layers,
  lag: number,
  most: number,
): { readonly count: number; readonly seen: number } {
  const checker = new Checker(termsOf(history, counting, true), counting, layers, lag);
  let count = 0;
  for (const [at, event] of history.events.entries()) {
    if (checker.take(model, event, at) !== null) count += 1;
    if (count > most) return { count, seen: at + 1 };
  }
  return { count, seen: history.events.length };
}

function termsOf(history: History, counting: Counting, whole: boolean): Terms {
  const { limit, shown, unit, offset, events, shared = false, racing = false } = history;
  return {
    limit,
    shown,
    unit,
    offset,
    shared,
    racing,
    // Of a part of the events it is not known what may have been given back meanwhile.
    falling: whole,
    returns: givesBack(events) ? countsOf(events, counting) : null,
    origin: events[0]?.from ?? 0,
    mostDrift: Number.POSITIVE_INFINITY,
  };
}

/**
 * Holds a model against a whole history.
 *
 * @param which indices (ascending) of the events to look at, instead of all of them: what contradicts a part of them
 *   contradicts the whole, since each event only narrows what is left for the others
 * @param placed takes in the requests that can have been decided in one window only; null: nobody asks
 * @param single whether only what one request contradicts is asked for, and not what a whole window or burst does
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
  const terms = termsOf(history, counting, which === null);
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
      const allowed: Alternative = {
        low: 0,
        high: early.before,
        resetLow: event.from,
        resetHigh: Number.POSITIVE_INFINITY,
        window: null,
        countedIn: null,
        leaving: null,
        ends: Number.POSITIVE_INFINITY,
        latched: false,
      };
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
