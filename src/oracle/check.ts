import { type Counting, countedAs } from './census.ts';
import type { Event, History, Range } from './history.ts';
import { type Alternative, DRIFT, type Model, type Span } from './model.ts';

/** The three layers of evidence: who was accepted when; what Remaining said; what Reset said. Decisions are always judged. */
export interface Layers {
  readonly remaining: boolean;
  readonly reset: boolean;
}

export const DECISIONS: Layers = { remaining: false, reset: false };
export const WITH_REMAINING: Layers = { remaining: true, reset: false };
export const WITH_RESET: Layers = { remaining: false, reset: true };
export const ALL_LAYERS: Layers = { remaining: true, reset: true };

/** Why a model does not explain a history. */
export interface Contradiction {
  readonly kind: 'overfull' | 'too late' | 'too early' | 'remaining' | 'reset' | 'marker moves';
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
}

/** Timer granularity on both sides, in µs. */
const TICK = 5_000;

function decides(event: Event, allowed: Alternative, counting: Counting, limit: number): Contradiction['kind'] | null {
  if (event.outcome === 'refused') return allowed.high >= limit || allowed.latched ? null : 'too early';
  return countedAs(event, counting) === 'certain' && allowed.low + 1 > limit ? 'too late' : null;
}

function remainingFits(event: Event, allowed: Alternative, counting: Counting, shown: number): boolean {
  const { remaining } = event;
  if (remaining === null || event.outcome === 'refused' || counting.undecided.has(event.group)) return true;
  const least = Math.max(0, shown - 1 - allowed.high);
  const most = Math.max(0, shown - allowed.low - (countedAs(event, counting) === 'certain' ? 1 : 0));
  return (remaining >= least && remaining <= most) || (allowed.low === 0 && countedAs(event, counting) !== 'certain');
}

/** An uncounted answer where no window need be open carries a notional marker, which tells nothing. */
function markerTells(event: Event, allowed: Alternative, counting: Counting): boolean {
  if (event.reset === null || counting.undecided.has(event.group)) return false;
  return event.outcome === 'refused' || countedAs(event, counting) === 'certain' || allowed.low > 0;
}

/** An answer whose values may have been read after the window's end belongs to no window for certain. */
function straddles(event: Event, alternatives: readonly Alternative[]): boolean {
  return alternatives.some((each) => event.to >= each.ends);
}

/**
 * Holds a model against a history. Sound: each check is a necessary condition on the true decision times, so a model
 * that is the deployment's own is never contradicted, whatever the latencies.
 */
export function check(model: Model, history: History, counting: Counting, layers: Layers, lag: number): Outcome {
  const { limit, events, unit } = history;
  const full = model.overfull(limit);
  if (full) {
    return {
      contradiction: { kind: 'overfull', event: null, allowed: null, span: full },
      explained: 0,
      offset: history.offset,
    };
  }
  let { low: offsetLow, high: offsetHigh } = history.offset;
  const origin = events[0]?.from ?? 0;
  const markers = new Map<number, { low: number; high: number }>();
  let explained = 0;
  const fail = (kind: Contradiction['kind'], event: Event, allowed: Alternative | null): Outcome => ({
    contradiction: { kind, event, allowed, span: null },
    explained,
    offset: { low: offsetLow, high: offsetHigh },
  });

  for (const event of events) {
    if (event.outcome === 'unclear' || event.outcome === 'foreign') continue;
    const alternatives = model.alternatives(event);
    const certain = countedAs(event, counting) === 'certain';
    if (alternatives.length === 0 && (certain || event.outcome === 'refused')) return fail('too early', event, null);
    const loose = straddles(event, alternatives);
    const readLate = loose && event.outcome !== 'refused';
    const slack = DRIFT * (event.to - origin) + TICK;
    const roundTrip = event.to - event.from;
    let worst: Contradiction['kind'] | null = null;
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    let only: Alternative | null = null;
    let fitting = 0;
    for (const allowed of alternatives) {
      let kind = decides(event, allowed, counting, limit);
      if (kind === null && layers.remaining && !readLate && !remainingFits(event, allowed, counting, history.shown)) {
        kind = 'remaining';
      }
      if (kind === null && layers.reset && unit !== null && event.reset !== null && !readLate) {
        if (markerTells(event, allowed, counting)) {
          const low = event.reset - unit - roundTrip - slack - allowed.resetHigh;
          const high = event.reset + unit + slack - allowed.resetLow;
          if (low > offsetHigh || high < offsetLow) kind = 'reset';
          else {
            least = Math.min(least, low);
            most = Math.max(most, high);
          }
        } else {
          least = Number.NEGATIVE_INFINITY;
          most = Number.POSITIVE_INFINITY;
        }
      }
      if (kind === null) {
        fitting++;
        only = allowed;
      } else worst ??= kind;
    }
    if (fitting === 0 && worst !== null) return fail(worst, event, alternatives[0] ?? null);
    if (least <= most && layers.reset) {
      offsetLow = Math.max(offsetLow, least);
      offsetHigh = Math.min(offsetHigh, most);
    }
    if (
      layers.reset &&
      unit !== null &&
      event.reset !== null &&
      !loose &&
      fitting === 1 &&
      only &&
      only.window !== null
    ) {
      if (markerTells(event, only, counting)) {
        const before = markers.get(only.window);
        const low = Math.max(before?.low ?? Number.NEGATIVE_INFINITY, event.reset - unit - roundTrip - lag - slack);
        const high = Math.min(before?.high ?? Number.POSITIVE_INFINITY, event.reset);
        if (low > high) return fail('marker moves', event, only);
        markers.set(only.window, { low, high });
      }
    }
    explained++;
  }
  return { contradiction: null, explained, offset: { low: offsetLow, high: offsetHigh } };
}
