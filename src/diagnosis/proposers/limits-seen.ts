import { below, upTo } from '../../oracle/ascending.ts';
import { DECISIONS } from '../../oracle/check.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { shape } from '../../oracle/shapes.ts';
import type { SearchContext } from '../proposal.ts';
import { type Times, timesOf } from '../world.ts';
import { bitsOfPhase } from './phase.ts';

/** Usual windows of second limits, in µs. */
export const LENGTHS = [1, 5, 10, 60].map((seconds) => seconds * 1_000_000);

/** Bits to state a limit of some tens (5), and which of four lengths its window has (2). */
export const LIMIT_BITS = 7;

/** Fixed windows, from the first request, on a grid, and by a clock of whole seconds; and sliding ones. */
const WINDOWS = [shape('anchored', 0), shape('grid', 0), shape('anchored', 1_000_000), shape('log', 0)];

/** A second limit, and the bits to state when its windows begin. */
export interface FittingLimit {
  readonly limit: number;
  readonly bits: number;
}

/**
 * The first of some limits under which windows of this length explain the decisions of a second limit; null: none does.
 *
 * @param window length in µs
 * @param main the histories as the main limit tells them: its windows may begin at the same time
 */
export function limitThatFits(
  own: readonly History[],
  limits: readonly number[],
  window: number,
  main: readonly History[],
  { fitter, work }: Pick<SearchContext, 'fitter' | 'work'>,
): FittingLimit | null {
  for (const limit of limits) {
    const histories = own.map((history) => ({ ...history, limit, shown: limit }));
    const bits = [...fitter.all({ histories, shapes: WINDOWS, window, layers: DECISIONS })].map(({ explanations }) =>
      explanations.reduce((most, { variant }, at) => {
        const history = histories[at];
        return history ? Math.max(most, bitsOfPhase(variant, history, window, main, work)) : most;
      }, 0),
    );
    if (bits.length > 0) return { limit, bits: Math.min(...bits) };
  }
  return null;
}

/**
 * The possible limits, from the decisions of a second limit: at an early refusal, exactly the limit had been accepted
 * in its window, or fewer if requests refused by the other limit also count. The window begins at its first request or,
 * if this is unknown, ends at the refusal.
 */
export function limitsSeen(histories: readonly History[], window: number): readonly number[] {
  const inWindows = histories.flatMap(({ events }) => countsAtRefusals(events, window));
  const before = histories.flatMap(({ events }) => {
    const accepted = events.filter(({ outcome }) => outcome === 'accepted');
    return events
      .filter(({ outcome }) => outcome === 'refused')
      .map(({ from, to }) => accepted.filter((each) => each.from <= to && each.from > from - window).length);
  });
  const all = [Math.max(...inWindows), Math.min(...before), Math.max(...before)];
  return [...new Set(all)].filter((each) => each >= 1 && each !== Number.POSITIVE_INFINITY);
}

/** Statuses of requests that no limiter lets through with a key. */
const UNCOUNTED: ReadonlySet<number> = new Set([401, 429]);

/** Numbers that people choose are usually multiples of these, preferably of the first. */
const ROUND = [1000, 500, 100, 50, 10, 5, 1];

/**
 * The possible quotas, if no window ends: as many as were let through of each budget that refused early, and no more
 * than with those that may have been counted besides. The roundest number is the likeliest, and comes first.
 */
export function quotasSeen(histories: readonly History[]): readonly number[] {
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  const answered: number[] = [];
  for (const { events } of histories) {
    if (!events.some(({ outcome }) => outcome === 'refused')) continue;
    const accepted = events.filter(({ outcome }) => outcome === 'accepted').length;
    const others = events.filter(({ outcome }) => outcome === 'failed' || outcome === 'unclear').length;
    answered.push(events.filter(({ exchange: { status } }) => status !== null && !UNCOUNTED.has(status)).length);
    low = Math.max(low, accepted);
    high = Math.min(high, accepted + others);
  }
  if (low === 0) return [];
  // Budgets that stop after as many answered requests, failed ones included, count each.
  const [first = 0, ...more] = answered;
  if (more.length > 0 && more.every((each) => each === first)) return [first];
  const step = ROUND.find((each) => Math.ceil(low / each) * each <= high) ?? 1;
  return [...new Set([Math.ceil(low / step) * step, low])];
}

/** How many were accepted in each window, beginning at a first request, in which something was refused early. */
function countsAtRefusals(events: readonly Event[], window: number): number[] {
  const counts: number[] = [];
  let opened = Number.NEGATIVE_INFINITY;
  let accepted = 0;
  let isShort = false;
  const close = (): void => {
    if (isShort) counts.push(accepted);
  };
  for (const event of [...events].sort((one, other) => one.from - other.from)) {
    if (event.from >= opened + window) {
      close();
      if (event.outcome !== 'accepted') continue;
      opened = event.from;
      accepted = 0;
      isShort = false;
    }
    if (event.outcome === 'accepted') accepted += 1;
    if (event.outcome === 'refused') isShort = true;
  }
  close();
  return counts;
}

/** The most limits that are tried for one length: where more differ, none of them is the limit. */
const MOST_TRIED = 8;

/**
 * The possible limits of budgets together, likely ones first. Windows may begin at other times than their first
 * request, so requests are also counted from one that was let through after refusals: there, a window had ended.
 *
 * @param window length in µs
 * @param isOpen whether it is open which kinds of requests are counted: then many a round number would fit
 */
export function limitsShown(histories: readonly History[], window: number, isOpen: boolean): readonly number[] {
  // Within the length of one window, requests are counted in two windows at most.
  const least = histories.reduce((sum, { events }) => Math.max(sum, mostWithin(events, window)), 0) / 2;
  const most = histories.reduce((sum, { events }) => Math.min(sum, fewestBefore(events, window)), UNBOUNDED);
  if (most < Math.max(1, least)) return [];
  // What may be counted is likely to be.
  const more = histories.map(({ events }) =>
    events.map((event): Event => (event.outcome === 'unclear' ? { ...event, outcome: 'accepted' } : event)),
  );
  const counted = [...more, ...histories.map(({ events }) => events)];
  const all = [
    // Of shorter windows, some begin between requests.
    ...(window < WINDOW || isOpen ? [] : roundWithin(Math.max(1, least), most)),
    ...counted.flatMap((events) => countsSinceRefusals(events, window)),
    ...counted.flatMap((events) => countsAtRefusals(events, window)),
  ];
  return [...new Set(all)].filter((count) => count >= Math.max(1, least) && count <= most).slice(0, MOST_TRIED);
}

/** The most round numbers that are tried. */
const MOST_ROUND = 5;

/** The roundest numbers between two that are not many: where a window began among requests at once, no count is sure. */
function roundWithin(least: number, most: number): readonly number[] {
  if (most === UNBOUNDED) return [];
  const found = ROUND.map((step) => {
    const first = Math.ceil(least / step);
    return Array.from({ length: Math.max(0, Math.floor(most / step) - first + 1) }, (_, at) => (first + at) * step);
  });
  return found.findLast(({ length }) => length <= MOST_ROUND) ?? [];
}

const UNBOUNDED = Number.POSITIVE_INFINITY;

/** When the accepted requests of a history, and all that were not refused, were sent and answered, each ascending. */
interface Moments {
  readonly accepted: Times;
  readonly unrefused: Times;
}

function momentsOf(events: readonly Event[]): Moments {
  const known = MOMENTS.get(events);
  if (known) return known;
  const found = {
    accepted: timesOf(events.filter(({ outcome }) => outcome === 'accepted')),
    unrefused: timesOf(events.filter(({ outcome }) => outcome !== 'refused')),
  };
  MOMENTS.set(events, found);
  return found;
}

/** They are the same for every length of a window. */
const MOMENTS = new WeakMap<readonly Event[], Moments>();

/** At least how many requests were accepted within some time, in µs. */
function mostWithin(events: readonly Event[], time: number): number {
  const { sent, answered } = momentsOf(events).accepted;
  return sent.reduce((most, from, at) => Math.max(most, upTo(answered, from + time) - at), 0);
}

/** At most how many requests were counted within such a time before every refusal: a larger limit would not refuse. */
function fewestBefore(events: readonly Event[], time: number): number {
  const { sent, answered } = momentsOf(events).unrefused;
  let least = UNBOUNDED;
  for (const { outcome, from, to } of events) {
    if (outcome === 'refused') least = Math.min(least, upTo(sent, to) - below(answered, from - time));
  }
  return least;
}

/**
 * How many were accepted from the end of the last refusals to the end of the next ones, within a window before these.
 */
function countsSinceRefusals(events: readonly Event[], window: number): number[] {
  const counts: number[] = [];
  let since = Number.NEGATIVE_INFINITY;
  let first: Event | null = null;
  let answered = Number.NEGATIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  const close = (): void => {
    const from = Math.max(since, (first?.from ?? 0) - window);
    counts.push(events.filter((each) => each.outcome === 'accepted' && each.from >= from && each.from <= last).length);
  };
  for (const event of events) {
    if (event.outcome === 'refused') {
      first ??= event;
      answered = Math.max(answered, event.to);
      last = event.from;
    }
    if (event.outcome !== 'accepted' || first === null || event.from <= answered) continue;
    close();
    since = event.from;
    first = null;
  }
  if (first) close();
  return counts;
}
