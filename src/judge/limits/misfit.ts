import type { Counting } from '../../oracle/census.ts';
import { type Contradiction, DECISIONS } from '../../oracle/check.ts';
import { type Explanation, explain } from '../../oracle/explain.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { before } from './proofs.ts';

/** In which way the decisions themselves break every window of the limit and of a minute. */
export interface Misfit {
  /**
   * - `overshoot`: more were let through than the limit
   * - `early return`: a spent budget was back before its window had ended
   * - `late return`: a spent budget was not back when its window had ended
   * - `early refusal`: refused although the limit was not reached
   */
  readonly kind: 'overshoot' | 'early return' | 'late return' | 'early refusal';
  /** Null where the answers themselves say it, all with one marker. */
  readonly contradiction: Contradiction | null;
  /** The requests that were let through in one window, where that is what does not fit. */
  readonly crowd: readonly Event[];
  readonly event: Event | null;
  /** The refusal that shows that the budget was spent, for the returns. */
  readonly spent: Event | null;
}

/** Where the decisions break the mechanism that explains most of them. Null where some mechanism explains them all. */
export function findMisfit(history: History): Misfit | null {
  const groups = history.events.map(({ group }) => group).filter((group) => group !== '');
  const counting: Counting = { failedCounted: new Set(), undecided: new Set(groups), refusedCounted: false };
  let furthest: Explanation | null = null;
  for (const mechanism of ['grid', 'anchored'] as const) {
    const found = explain({ mechanism, counting, lag: 0, reset: 'oldest', latch: false }, history, DECISIONS);
    if (found.survives) return null;
    if (!furthest || found.explained > furthest.explained) furthest = found;
  }
  const contradiction = furthest?.contradictions.reduce((one, other) =>
    (other.event?.from ?? 0) > (one.event?.from ?? 0) ? other : one,
  );
  return contradiction ? classify(contradiction, history) : null;
}

function classify(contradiction: Contradiction, history: History): Misfit {
  const inside = contradiction.span;
  const event = contradiction.event ?? (inside ? lastAccepted(history, inside.startHigh, inside.endLow) : null);
  if (!event) return { kind: 'overshoot', contradiction, crowd: [], event, spent: null };
  const last = before(history, event, ({ outcome }) => outcome === 'accepted' || outcome === 'refused');
  if (event.outcome === 'refused') {
    const kind = last?.outcome === 'refused' ? 'late return' : 'early refusal';
    return { kind, contradiction, crowd: [], event, spent: last };
  }
  const opened = inside ? inside.startHigh : (contradiction.allowed?.resetLow ?? event.from) - WINDOW;
  const spent = before(history, event, ({ outcome, from }) => outcome === 'refused' && from > opened);
  return { kind: spent ? 'early return' : 'overshoot', contradiction, crowd: [], event, spent };
}

function lastAccepted(history: History, from: number, to: number): Event | null {
  const inside = history.events.filter((event) => event.outcome === 'accepted' && event.from >= from && event.to < to);
  return inside[inside.length - 1] ?? null;
}

/** More accepted requests than the limit that all carry one marker, within a minute of each other: one window. */
export function findOvershoot(history: History): Misfit | null {
  const windows = new Map<number, Event[]>();
  for (const event of history.events) {
    if (event.outcome !== 'accepted' || event.reset === null) continue;
    const window = windows.get(event.reset) ?? [];
    windows.set(event.reset, window);
    window.push(event);
  }
  for (const window of windows.values()) {
    const [first] = window;
    const event = window[window.length - 1];
    if (!first || !event || window.length <= history.limit || event.from - first.to > WINDOW) continue;
    if (outlived(history, event.reset ?? 0)) continue;
    return { kind: 'overshoot', contradiction: null, crowd: window, event, spent: null };
  }
  return null;
}

/** Whether a marker was still given out when its time had passed, so that it tells no window. */
function outlived({ events, offset, unit }: History, reset: number): boolean {
  const passed = reset - (Number.isFinite(offset.low) ? offset.low : 0) + (unit ?? 0);
  return events.some((event) => event.reset === reset && event.from > passed + 2_000_000);
}

/** µs after which everything that was counted has certainly expired, with a clock that ticks in whole seconds. */
const EXPIRED = 61_000_000;

/**
 * A refusal when nothing had been counted for more than a minute, nor so much in the minute before that a sliding counter
 * could still weigh it. Refusals are not taken as counted: where they are, a header has to speak for it.
 */
export function findStuck(history: History): Misfit | null {
  const { events, limit } = history;
  const refusals = events.filter(({ outcome }) => outcome === 'refused');
  for (const event of refusals) {
    const before = events.filter((other) => other.outcome !== 'refused' && other.from <= event.to);
    const latest = before.reduce((last, { to }) => Math.max(last, to), Number.NEGATIVE_INFINITY);
    if (before.length === 0 || event.from - latest < EXPIRED) continue;
    const weight = before.reduce((sum, { to }) => sum + Math.max(0, 2 - (event.from - to) / WINDOW), 0);
    if (weight > limit - 2) continue;
    const spent = refusals.find(({ from }) => from < event.from && event.from - from < 2 * WINDOW) ?? null;
    return { kind: 'late return', contradiction: null, crowd: before.slice(-1), event, spent };
  }
  return null;
}
