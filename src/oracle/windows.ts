import { below, upTo } from './ascending.ts';
import type { Placed } from './check.ts';
import { atMost } from './counts.ts';
import { type Event, WINDOW } from './history.ts';
import { limitedOf } from './limited.ts';
import {
  type Alternative,
  DRIFT,
  firstOverfull,
  firstSpan,
  itself,
  type Model,
  type ModelInput,
  regainedBy,
  type Span,
} from './model.ts';
import { lastSpent } from './spent.ts';
import { totalsOf } from './totals.ts';

/**
 * Fixed windows (M1, M2): the n-th request counted in a window is accepted if and only if n ≤ limit, and leaves limit −
 * n.
 */
export function fixedWindows(spans: readonly Span[], input: ModelInput): Model {
  const { counts, counting, limit } = input;
  const totals = totalsOf(spans, input);
  const refunds = counts.transientFrom.length > 0;
  const spentBefore = lastSpent(input);
  /**
   * If refused requests count too, a window that was once full stays full, even if a refund reduced the accepted ones.
   */
  const refusedBefore = (event: Event, span: Span): boolean =>
    event.outcome === 'refused' &&
    upTo(counts.refusedFrom, event.to) - below(counts.refusedTo, span.startLow) > 1 &&
    // The first refusal found it full, including everything given back later.
    atMost(counts, span.startLow, Math.min(event.to, span.endHigh), span.startLow) >= limit;
  return {
    alternatives(event: Event, at?: number): readonly Alternative[] {
      const found: Alternative[] = [];
      const self = itself(event, counting);
      const spent = spentBefore(event.from);
      for (let index = firstSpan(spans, event.from); index < spans.length; index++) {
        const span = spans[index];
        if (!span || span.startLow > event.to) break;
        const least = (span.earlier?.low ?? 0) + totals.least(index, event, at);
        // Within a window nothing leaves the count.
        const isSpent = spent !== null && spent.from >= span.startHigh && spent.to < span.endLow;
        found.push({
          low: isSpent ? Math.max(limit, least) : least,
          high: (span.earlier?.high ?? 0) + totals.most(index, event, at) - self,
          resetLow: span.markerLow ?? span.endLow,
          resetHigh: span.endHigh,
          window: span.number ?? index,
          countedIn: span.number ?? index,
          leaving: 0,
          outlasts: false,
          ends: span.endLow,
          latched: refunds && (span.earlier !== undefined || refusedBefore(event, span)),
          // Its headers may be those of the next window.
          regained: event.to >= span.endLow ? Number.POSITIVE_INFINITY : regainedBy(event, counts, () => 0),
        });
      }
      return found;
    },
    overfull: () => firstOverfull(spans, input) ?? tooDense(input),
    settled(placed: readonly Placed[]): Model | null {
      const settled = settledBy(spans, placed);
      return settled && fixedWindows(settled, input);
    },
  };
}

/**
 * More accepted requests within less than a minute than two windows allow, since a minute touches no third one. Null if
 * there are none, and for windows of another length, which are only hypotheses.
 */
function tooDense(input: ModelInput): Span | null {
  const known = DENSE.get(input);
  if (known !== undefined) return known;
  const found = input.window === WINDOW ? firstDense(input) : null;
  DENSE.set(input, found);
  return found;
}

/** It depends on no window, and every model of an input needs it. */
const DENSE = new WeakMap<ModelInput, Span | null>();

function firstDense({ events, limit, lag }: ModelInput): Span | null {
  const { events: limited, beyond } = limitedOf(events);
  const size = 2 * (limit + beyond);
  const most = WINDOW * (1 - DRIFT) - lag;
  for (let last = size; last < limited.length; last++) {
    const from = limited[last - size]?.from ?? 0;
    if ((limited[last]?.from ?? 0) - from >= most) continue;
    const to = limited.slice(last - size, last + 1).reduce((latest, event) => Math.max(latest, event.to), 0);
    if (to - from < most) return { startLow: from, startHigh: from, sureFrom: from, endLow: to, endHigh: to };
  }
  return null;
}

/**
 * The windows with each boundary narrowed by the requests that were certainly decided in one window: it had begun by
 * their answer, and had not ended when they were sent. If windows follow each other without a gap, one begins when the
 * other ends. Null if this narrows nothing.
 */
function settledBy(spans: readonly Span[], placed: readonly Placed[]): readonly Span[] | null {
  const lastSent = new Map<number, number>();
  const firstAnswered = new Map<number, number>();
  for (const { event, window } of placed) {
    lastSent.set(window, Math.max(lastSent.get(window) ?? Number.NEGATIVE_INFINITY, event.from));
    firstAnswered.set(window, Math.min(firstAnswered.get(window) ?? Number.POSITIVE_INFINITY, event.to));
  }
  let narrower = false;
  const settled = spans.map((span, index): Span => {
    const number = span.number ?? index;
    const adjoins = (one: Span | undefined, other: Span | undefined) => one?.endLow === other?.startLow;
    const before = adjoins(spans[index - 1], span) ? lastSent.get(number - 1) : undefined;
    const after = spans[index + 1] ? firstAnswered.get(number + 1) : undefined;
    const startLow = Math.max(span.startLow, before ?? Number.NEGATIVE_INFINITY);
    const startHigh = Math.min(span.startHigh, firstAnswered.get(number) ?? Number.POSITIVE_INFINITY);
    const endLow = Math.max(span.endLow, lastSent.get(number) ?? Number.NEGATIVE_INFINITY);
    const endHigh = Math.min(span.endHigh, after ?? Number.POSITIVE_INFINITY);
    if (
      startLow === span.startLow &&
      startHigh === span.startHigh &&
      endLow === span.endLow &&
      endHigh === span.endHigh
    ) {
      return span;
    }
    narrower = true;
    return { ...span, startLow, startHigh, sureFrom: Math.min(span.sureFrom, startHigh), endLow, endHigh };
  });
  return narrower ? settled : null;
}

/**
 * The windows of a grid whose phase lies in `[phaseLow, phaseHigh]` (µs after the first event), over the whole history.
 */
export function gridSpans(input: ModelInput, phaseLow: number, phaseHigh: number): readonly Span[] {
  const { counts, events, window, lag } = input;
  const origin = events[0]?.from ?? 0;
  const spans: Span[] = [];
  for (let start = origin + phaseLow - 2 * window; start <= counts.end; start += window) {
    spans.push(gridSpan(start, phaseHigh - phaseLow, lag, (time) => DRIFT * Math.abs(time - origin), window));
  }
  return spans;
}

/**
 * How far the clocks of a deployment's hosts may differ, in µs, if they are coarse: the precision of NTP in one network
 * (RFC 5905, 1: a few milliseconds at most).
 */
export const HOSTS_APART = 10_000;

/**
 * The window of a grid that starts at `start` or up to `width` later, plus the drift of clocks by then (all in µs). It
 * ends when the next one begins, at one moment that is known equally well. A clock that ticks in steps of `lag` also
 * crosses a boundary at one moment, up to `lag` later than its marker says.
 */
export function gridSpan(
  start: number,
  width: number,
  lag: number,
  driftAt: (time: number) => number,
  window: number,
): Span {
  const late = width + Math.min(lag, HOSTS_APART);
  const end = start + window;
  const [drift, driftThen] = [driftAt(start), driftAt(end)];
  return {
    startLow: start - drift,
    startHigh: start + late + drift,
    sureFrom: start + late + drift,
    endLow: end - driftThen,
    endHigh: end + late + driftThen,
    markerLow: end - lag - driftThen,
  };
}
