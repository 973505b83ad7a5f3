import { countedAs } from './census.ts';
import { type Event, REFUND_DELAY } from './history.ts';
import { DRIFT, type Scene, type Span } from './model.ts';

/** How many chains of windows are followed at once; where there were more, they are not told apart any longer. */
const MOST_CHAINS = 24;

interface Opener {
  readonly from: number;
  readonly to: number;
  /** It certainly is counted, so that a window is open at the latest with it. */
  readonly certain: boolean;
}

/** Who can open a window: what is counted; with `anyDecision` refused requests too (a counter that re-anchors). */
function openers(scene: Scene, anyDecision: boolean): readonly Opener[] {
  const role = (event: Event) =>
    anyDecision && event.outcome === 'refused' ? 'certain' : countedAs(event, scene.counting);
  return scene.events
    .filter((event) => role(event) !== 'none')
    .map((event) => ({
      from: event.from,
      to: role(event) === 'passing' ? event.to + REFUND_DELAY : event.to,
      certain: role(event) === 'certain',
    }));
}

/**
 * Where the next window can start: the first opener decided at or after an end in `[endLow, endHigh]`. Openers that
 * overlap give one interval, others one each, since only what comes later can tell which it was.
 */
function nextStarts(
  list: readonly Opener[],
  endLow: number,
  endHigh: number,
): readonly { low: number; high: number }[] {
  let latest = Number.POSITIVE_INFINITY;
  for (const opener of list) {
    if (opener.from > latest) break;
    if (opener.certain && opener.from >= endHigh) latest = Math.min(latest, opener.to);
  }
  const starts: { low: number; high: number }[] = [];
  let current: { low: number; high: number } | null = null;
  for (const opener of list) {
    if (opener.from > latest) break;
    if (opener.to < endLow) continue;
    const low = Math.max(endLow, opener.from);
    const high = Math.min(opener.to, latest);
    if (current && low <= current.high) current.high = Math.max(current.high, high);
    else {
      current = { low, high };
      starts.push(current);
    }
  }
  return starts;
}

/**
 * All chains of windows that each start with the first request counted after the one before has ended (M2).
 * A window starts at s and ends at s + window, up to `lag` earlier or later (starts cut to the whole second, expiry
 * rounded up to one).
 *
 * @param first windows from before the history, where the key was in use then
 */
export function anchoredChains(
  scene: Scene,
  anyDecision = false,
  first: readonly Span[] = [],
): readonly (readonly Span[])[] {
  const list = openers(scene, anyDecision);
  const drift = DRIFT * scene.window;
  const spanOf = (start: { low: number; high: number }, previous: Span | null): Span => ({
    startLow: start.low,
    startHigh: start.high,
    // Nothing is counted between two windows: what was sent after the one before had ended is in this one, or later.
    sureFrom: Math.min(start.high, previous ? previous.endHigh : Number.NEGATIVE_INFINITY),
    endLow: start.low + scene.window - scene.lag - drift,
    endHigh: start.high + scene.window + scene.lag + drift,
  });
  const done: Span[][] = [];
  let open: Span[][] =
    first.length > 0
      ? [[...first]]
      : nextStarts(list, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY).map((start) => [spanOf(start, null)]);
  if (open.length > MOST_CHAINS) open = open.slice(0, MOST_CHAINS);
  while (open.length > 0) {
    const grown: Span[][] = [];
    for (const chain of open) {
      const last = chain[chain.length - 1];
      if (!last) continue;
      const rest = after(list, last.endLow);
      const starts = nextStarts(rest, last.endLow, last.endHigh);
      const mayBeLast = !rest.some((opener) => opener.certain && opener.from >= last.endHigh);
      if (mayBeLast) done.push(chain);
      const crowded = open.length * starts.length + done.length > MOST_CHAINS;
      for (const start of crowded ? hull(starts) : starts) grown.push([...chain, spanOf(start, last)]);
    }
    open = grown;
  }
  return done;
}

function hull(starts: readonly { low: number; high: number }[]): readonly { low: number; high: number }[] {
  if (starts.length === 0) return starts;
  return [{ low: Math.min(...starts.map((each) => each.low)), high: Math.max(...starts.map((each) => each.high)) }];
}

/** Openers that may still come after `time`; the list ascends by `from`. */
function after(list: readonly Opener[], time: number): readonly Opener[] {
  return list.filter((opener) => opener.to >= time);
}

/**
 * All chains of buckets that follow each other without a gap for as long as each sees a request, and start anew with the
 * first request after an empty one: sliding counters whose store forgets idle keys.
 */
export function renewedChains(scene: Scene, first: readonly Span[] = []): readonly (readonly Span[])[] {
  const list = openers(scene, true);
  const drift = DRIFT * scene.window;
  const bucket = (low: number, high: number, sureFrom: number): Span => ({
    startLow: low,
    startHigh: high,
    sureFrom,
    endLow: low + scene.window - scene.lag - drift,
    endHigh: high + scene.window + scene.lag + drift,
  });
  const latest = list.reduce((last, { to }) => Math.max(last, to), Number.NEGATIVE_INFINITY);
  const done: Span[][] = [];
  const quiet = Number.NEGATIVE_INFINITY;
  let open: Span[][] =
    first.length > 0 ? [[...first]] : nextStarts(list, quiet, quiet).map(({ low, high }) => [bucket(low, high, quiet)]);
  while (open.length > 0) {
    const grown: Span[][] = [];
    for (const chain of open.slice(0, MOST_CHAINS)) {
      const last = chain[chain.length - 1];
      if (!last) continue;
      if (last.endLow > latest) {
        done.push(chain);
        continue;
      }
      const next = bucket(last.endLow, last.endHigh, last.endHigh);
      const rest = after(list, last.endLow);
      if (rest.some(({ from }) => from < next.endHigh)) grown.push([...chain, next]);
      if (rest.some(({ certain, from, to }) => certain && from >= last.endHigh && to < next.endLow)) continue;
      const starts = nextStarts(rest, next.endLow, next.endHigh);
      for (const { low, high } of starts) grown.push([...chain, bucket(low, high, Math.min(high, next.endHigh))]);
      if (starts.length === 0) done.push(chain);
    }
    open = grown;
  }
  return done;
}
