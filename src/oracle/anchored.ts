import { below } from './ascending.ts';
import { countedAs, mayReturn } from './counting.ts';
import type { Counts } from './counts.ts';
import { type Opener, REFUND_DELAY } from './history.ts';
import { DRIFT, type ModelInput, type Span } from './model.ts';
import { WorkSpent } from './work.ts';

/** The most chains of windows that are distinguished. If there are more, they are merged. */
const MOST_CHAINS = 24;

/**
 * Chains that may have ended anywhere in a time of which nothing is certain: more than a run of an hour has in windows of
 * a minute. Windows of a second would have tens of thousands, and each is a model.
 */
const MOST_ENDS = 60 * MOST_CHAINS;

/** All openers in order of `from`, with an index to find those after a time. */
interface Openers {
  readonly list: readonly Opener[];
  /** For each position in the list: the latest end up to it. */
  readonly latestTo: Float64Array;
}

/**
 * Requests that can open a window: counted ones; with `anyDecision` also refused ones (a counter that begins a new
 * grid).
 */
function openersOf(input: ModelInput, anyDecision: boolean, beside: readonly Opener[] = NONE): Openers {
  const known = anyDecision ? DECIDED : (COUNTED.get(beside) ?? new WeakMap<Counts, Openers>());
  if (!anyDecision) COUNTED.set(beside, known);
  const openers = known.get(input.counts) ?? indexed([...findOpeners(input, anyDecision), ...beside]);
  known.set(input.counts, openers);
  return openers;
}

const NONE: readonly Opener[] = [];

/** By those beside them, and by the counts, which are new for another history or another way to count. */
const COUNTED = new WeakMap<readonly Opener[], WeakMap<Counts, Openers>>();
const DECIDED = new WeakMap<Counts, Openers>();

function findOpeners({ events, counting }: ModelInput, anyDecision: boolean): readonly Opener[] {
  const found: Opener[] = [];
  for (const event of events) {
    const { from, to, outcome } = event;
    const role = anyDecision && outcome === 'refused' ? 'certain' : countedAs(event, counting);
    // A request that gives one back may open a window that has none to give.
    if (role === 'none' && !mayReturn(event)) continue;
    const transient = role === 'transient' || (counting.loose && outcome === 'failed');
    found.push({ from, to: transient ? to + REFUND_DELAY : to, certain: role === 'certain' });
  }
  return found;
}

function indexed(openers: readonly Opener[]): Openers {
  const isInOrder = openers.every(({ from }, at) => (openers[at - 1]?.from ?? from) <= from);
  const list = isInOrder ? openers : openers.toSorted((one, other) => one.from - other.from);
  const latestTo = new Float64Array(list.length);
  let latest = Number.NEGATIVE_INFINITY;
  for (const [at, { to }] of list.entries()) {
    latest = Math.max(latest, to);
    latestTo[at] = latest;
  }
  return { list, latestTo };
}

/** Whether an opener that may be decided at or after `time` fits. Earlier requests fit first. */
function someAfter({ list, latestTo }: Openers, time: number, fits: (opener: Opener) => boolean): boolean {
  for (let index = below(latestTo, time); index < list.length; index++) {
    const opener = list[index];
    if (opener && opener.to >= time && fits(opener)) return true;
  }
  return false;
}

/**
 * The possible starts of the next window: the first opener decided at or after an end in `[endLow, endHigh]`. Openers
 * that overlap give one interval, others one each, since only later requests can show which it was.
 */
function nextStarts(
  { list, latestTo }: Openers,
  endLow: number,
  endHigh: number,
): readonly { low: number; high: number }[] {
  const first = below(latestTo, endLow);
  let latest = Number.POSITIVE_INFINITY;
  for (let index = first; index < list.length; index++) {
    const opener = list[index];
    if (!opener || opener.from > latest) break;
    if (opener.certain && opener.from >= endHigh) latest = Math.min(latest, opener.to);
  }
  const starts: { low: number; high: number }[] = [];
  let current: { low: number; high: number } | null = null;
  for (let index = first; index < list.length; index++) {
    const opener = list[index];
    if (!opener || opener.from > latest) break;
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

/** The windows of a chain so far, the last first. Chains that separate share the part before. */
interface Link {
  readonly span: Span;
  readonly previous: Link | null;
}

function chainTo(last: Link): readonly Span[] {
  const spans: Span[] = [];
  for (let link: Link | null = last; link; link = link.previous) spans.push(link.span);
  return spans.reverse();
}

function linked(spans: readonly Span[]): readonly Link[] {
  const last = spans.reduce<Link | null>((previous, span) => ({ span, previous }), null);
  return last ? [last] : [];
}

/** What may open the windows of a chain. */
interface Opening {
  /** Whether refused requests may, too. */
  readonly anyDecision?: boolean;
  /** Windows from before the history, if the key was in use then. */
  readonly first?: readonly Span[];
  /**
   * Whether a window may also begin where the one before has ended: a store that removes ended counters only at
   * intervals keeps some on their grid, and drops others, which begin again with the next request.
   */
  readonly mayGoOn?: boolean;
  /** Requests of other budgets that begin a window as well. */
  readonly beside?: readonly Opener[];
}

/**
 * All chains of windows in which each begins with the first request counted after the one before has ended (M2). A
 * window that starts at s ends at s + window, up to `lag` earlier or later (starts rounded down to the whole second,
 * expiry rounded up to one).
 */
export function anchoredChains(
  input: ModelInput,
  { anyDecision = false, first = [], mayGoOn = false, beside = NONE }: Opening = {},
): readonly (readonly Span[])[] {
  const openers = openersOf(input, anyDecision, beside);
  const drift = DRIFT * input.window;
  const spanOf = (start: { low: number; high: number }, previous: Span | null): Span => ({
    startLow: start.low,
    startHigh: start.high,
    // Nothing is counted between two windows: a request sent after the end of the one before is in this one or later.
    sureFrom: Math.min(start.high, previous ? previous.endHigh : Number.NEGATIVE_INFINITY),
    endLow: start.low + input.window - input.lag - drift,
    endHigh: start.high + input.window + input.lag + drift,
  });
  const done: Link[] = [];
  const quiet = Number.NEGATIVE_INFINITY;
  let open: readonly Link[] =
    first.length > 0
      ? linked(first)
      : nextStarts(openers, quiet, quiet).map((start) => ({ span: spanOf(start, null), previous: null }));
  if (open.length > MOST_CHAINS) open = open.slice(0, MOST_CHAINS);
  while (open.length > 0) {
    const grown: Link[] = [];
    for (const link of open) {
      const last = link.span;
      const starts = nextStarts(openers, last.endLow, last.endHigh);
      const mustGoOn = someAfter(openers, last.endLow, ({ certain, from }) => certain && from >= last.endHigh);
      if (!mustGoOn) done.push(link);
      if (done.length > MOST_ENDS) throw new WorkSpent('too many windows may be the last one');
      const ways = mayGoOn && starts.length > 0 ? [endOnGrid(last, input), ...starts] : starts;
      const crowded = open.length * ways.length + done.length > MOST_CHAINS;
      for (const start of crowded ? hull(ways) : ways) grown.push({ span: spanOf(start, last), previous: link });
    }
    open = grown;
  }
  return done.map(chainTo);
}

/**
 * When the next window begins if it goes on where this one has ended: by the clock of the deployment, a whole window after
 * this one began. The lag of a clock that ticks in seconds is not that of the grid, so it does not add up.
 */
function endOnGrid({ endLow, endHigh }: Span, { lag }: ModelInput): { low: number; high: number } {
  return { low: endLow + lag, high: endHigh - lag };
}

function hull(starts: readonly { low: number; high: number }[]): readonly { low: number; high: number }[] {
  if (starts.length === 0) return starts;
  return [{ low: Math.min(...starts.map((each) => each.low)), high: Math.max(...starts.map((each) => each.high)) }];
}

/**
 * All chains of buckets that follow each other without a gap as long as each gets a request, and begin again with the
 * first request after an empty one: sliding counters whose store forgets unused keys.
 */
export function renewedChains(input: ModelInput, first: readonly Span[] = []): readonly (readonly Span[])[] {
  const openers = openersOf(input, true);
  const drift = DRIFT * input.window;
  const bucket = (low: number, high: number, sureFrom: number): Span => ({
    startLow: low,
    startHigh: high,
    sureFrom,
    endLow: low + input.window - input.lag - drift,
    endHigh: high + input.window + input.lag + drift,
  });
  const quiet = Number.NEGATIVE_INFINITY;
  const latest = openers.latestTo[openers.list.length - 1] ?? quiet;
  const done: Link[] = [];
  let open: readonly Link[] =
    first.length > 0
      ? linked(first)
      : nextStarts(openers, quiet, quiet).map(({ low, high }) => ({ span: bucket(low, high, quiet), previous: null }));
  while (open.length > 0) {
    const grown: Link[] = [];
    for (const link of open.slice(0, MOST_CHAINS)) {
      const last = link.span;
      if (last.endLow > latest) {
        done.push(link);
        continue;
      }
      const end = endOnGrid(last, input);
      const next = bucket(end.low, end.high, last.endHigh);
      const seen = someAfter(openers, last.endLow, ({ from }) => from < next.endHigh);
      if (seen) grown.push({ span: next, previous: link });
      if (certainWithin(openers, last, next)) continue;
      const starts = nextStarts(openers, next.endLow, next.endHigh);
      for (const { low, high } of starts) {
        grown.push({ span: bucket(low, high, Math.min(high, next.endHigh)), previous: link });
      }
      if (starts.length === 0) done.push(link);
    }
    open = grown;
  }
  return done.map(chainTo);
}

/** Whether some request was certainly decided in the bucket `next`, so that it is not empty. */
function certainWithin({ list, latestTo }: Openers, last: Span, next: Span): boolean {
  for (let index = below(latestTo, last.endLow); index < list.length; index++) {
    const opener = list[index];
    if (!opener || opener.from >= next.endLow) return false;
    if (opener.certain && opener.from >= last.endHigh && opener.to < next.endLow) return true;
  }
  return false;
}
