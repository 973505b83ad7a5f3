import { WITH_REMAINING } from '../../oracle/check.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { shape } from '../../oracle/shapes.ts';
import { isDecided, unclear, type World } from '../world.ts';

/** µs: longer than any run, so that a part of a history has one window. */
const NO_END = 100 * WINDOW;

/** The uncertainty of an end, in µs: clocks that tick in whole seconds, and the resolution of timers. */
export const TOLERANCE = 1_100_000;

/** The precision of a marker that is computed anew for each answer, in µs. */
export const TICK = 50_000;

/** Where a request puts the end of a window: there, there unless it would end later, or so much later than it was. */
export type Puts = 'end' | 'later end' | 'delay';

/** The world in which each history has one window. */
export function endless(world: World, histories: readonly History[]): World {
  return { ...world, histories, shapes: [shape('anchored', 0)], window: NO_END, layers: WITH_REMAINING };
}

/** A history in parts, one for each window. */
export interface Parts {
  readonly parts: readonly History[];
  /** Whether any request has moved an end. */
  readonly isMoved: boolean;
  /** Whether all markers state the ends. */
  readonly isTold: boolean;
}

/**
 * @param moves whether a request moves the end of the open window
 * @param after how long after the request that moves it a window ends, or how much later than it would have, in µs
 * @param puts which of these it is
 * @param beside requests of another budget that move the ends as well, in order of `from`
 * @param nth which refusal of a window `moves` is told of
 * @param most by how much the end of a window is delayed at most, in all, in µs
 */
export function partsOf(
  history: History,
  moves: (event: Event, isNthRefusal: boolean) => boolean,
  after: number,
  puts: Puts,
  beside: readonly Event[] = [],
  nth = 1,
  most = Number.POSITIVE_INFINITY,
): Parts {
  const parts: Event[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  let least: number | null = null;
  let marker: number | null = null;
  let blockedUntil = Number.NEGATIVE_INFINITY;
  let refusals = 0;
  let movedUntil = Number.NEGATIVE_INFINITY;
  let endBefore = Number.NEGATIVE_INFINITY;
  let isMoved = false;
  let isEnded = false;
  let isTold = true;
  let next = 0;
  /** The end of the open window when it began. */
  let begun = end;
  /** Answers that may have come before or after requests under way that moved the end, and the ends before these. */
  const told: { readonly event: Event; readonly ends: readonly number[] }[] = [];
  /** The end of the window before, and until when the request that opened this one was under way. */
  let earlier = { end, until: end };
  const tellUntil = (time: number): void => {
    if (!isTold) return;
    let kept = 0;
    for (const each of told) {
      if (each.event.to >= time) told[kept++] = each;
      else isTold &&= tells(history, each.event, [...each.ends, end]);
    }
    told.length = kept;
  };
  for (const [index, event] of history.events.entries()) {
    const { from, to, outcome } = event;
    tellUntil(from);
    // Those beside it come first if they overlap, since its marker may state the end that they moved.
    const by = isDecided(event) ? to : from;
    for (let other = beside[next]; other && other.from <= by; other = beside[++next]) {
      const at = (other.from + other.to) / 2;
      // So close to the end, it may have come before or after it: after it, the next request of the budget has more
      // left.
      const isLate = outcome === 'refused' ? at >= end + TOLERANCE : at >= end;
      if (parts.length === 0 || isLate) continue;
      if (at > end - TOLERANCE - (history.unit ?? 0) && hasMoreLeft(event, least)) continue;
      if (other.from > movedUntil) endBefore = end;
      movedUntil = Math.max(movedUntil, other.to);
      isMoved ||= Math.abs(at + after - end) > TOLERANCE;
      end = at + after;
    }
    // What was under way when a request ended a window was counted in that one or in the next.
    if (isEnded && from <= movedUntil && !moves(event, false)) {
      parts.at(-1)?.push(unclear(event));
      continue;
    }
    const last = parts.at(-2);
    if (last && from <= earlier.until && outcome === 'accepted' && isOfEarlier(history, event, earlier.end, end)) {
      last.push(event);
      continue;
    }
    const left = outcome === 'refused' ? 0 : event.remaining;
    if (isEnded && isDecided(event)) {
      end = ownEnd(history, event);
      isEnded = false;
    } else if (parts.length === 0 || (isDecided(event) && isBeyond(history, event, end, least, marker))) {
      tellUntil(Number.POSITIVE_INFINITY);
      parts.push(takenAfter(parts.at(-1) ?? [], end));
      earlier = { end, until: to };
      end = ownEnd(history, outcome === 'refused' ? acceptedBeside(history.events, index) : event);
      begun = end;
      // What was under way beside it may have moved the end before, which some answers still state.
      const own = beside.length > 0 ? firstEndBeside(history, index) : end;
      if (own < end - TOLERANCE) {
        endBefore = own;
        movedUntil = Math.max(movedUntil, to);
        isMoved = true;
      }
      refusals = 0;
      if (puts === 'delay') blockedUntil = Number.NEGATIVE_INFINITY;
      least = null;
      marker = null;
    }
    parts.at(-1)?.push(event);
    if (isDecided(event)) marker = maxOf(marker, event.reset);
    if (left !== null) least = Math.min(least ?? left, left);
    // A refusal during a block is not a first one. After the block, the next one is; or that of the next window.
    if (isRefusal(event) && to >= blockedUntil) refusals += 1;
    const isNth = isRefusal(event) && refusals === nth;
    if (isNth) {
      blockedUntil = puts === 'delay' ? Number.POSITIVE_INFINITY : (from + to) / 2 + after;
      refusals = 0;
    }
    // A request after the end of the window, which opens no other, moves nothing.
    if (moves(event, isNth) && from < end + TOLERANCE) {
      if (from > movedUntil) endBefore = end;
      movedUntil = Math.max(movedUntil, to);
      const moved =
        puts === 'delay'
          ? Math.min(end + after, begun + most)
          : Math.max((from + to) / 2 + after, puts === 'later end' ? end : Number.NEGATIVE_INFINITY);
      isMoved ||= Math.abs(moved - (puts === 'delay' ? begun : end)) > TOLERANCE;
      end = moved;
      if (after === 0) {
        parts.at(-1)?.pop();
        parts.push((parts.pop() ?? []).map((other) => (other.to >= from ? unclear(other) : other)));
        // It is open which window its headers belong to, and whether it opens the next one.
        parts.push([unclear(event)]);
        isEnded = true;
        least = null;
        marker = null;
      }
    }
    if (isTold) told.push({ event, ends: from <= movedUntil ? [endBefore, end] : [end] });
  }
  tellUntil(Number.POSITIVE_INFINITY);
  return { parts: parts.filter(({ length }) => length > 0).map((events) => ({ ...history, events })), isMoved, isTold };
}

/** Whether it was refused, even if it is open which budget refused it. */
export function isRefusal({ outcome, exchange }: Event): boolean {
  return outcome === 'refused' || exchange.status === 429;
}

function maxOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

/**
 * A request that was accepted while a refused one was under way, so that refusals have moved no end yet; else the
 * refused one.
 */
function acceptedBeside(events: readonly Event[], index: number): Event {
  const [accepted] = markedBeside(events, index);
  return accepted ?? (events[index] as Event);
}

/** The first end that an answer states to a request that was under way at once with another. */
function firstEndBeside(history: History, index: number): number {
  const { events } = history;
  const ends = [events[index] as Event, ...markedBeside(events, index)].map((event) => ownEnd(history, event));
  return ends.reduce((one, other) => Math.min(one, other));
}

/** The accepted requests with a marker that were sent while another one was under way. */
function markedBeside(events: readonly Event[], index: number): readonly Event[] {
  const { to } = events[index] as Event;
  let after = index + 1;
  while ((events[after]?.from ?? Number.POSITIVE_INFINITY) <= to) after++;
  return events.slice(index + 1, after).filter(({ outcome, reset }) => outcome === 'accepted' && reset !== null);
}

/**
 * Whether the marker of an answer is the end of the window before, not that of the one which a request opened that was
 * under way at the same time.
 */
function isOfEarlier({ offset, unit }: History, { reset }: Event, end: number, next: number): boolean {
  if (reset === null || !Number.isFinite(end + offset.low + offset.high)) return false;
  const told = reset - (offset.low + offset.high) / 2;
  return Math.abs(told - end) < Math.abs(told - next) && told <= end + TOLERANCE + (unit ?? 0);
}

/** Removes the requests that reached a window last, after its end, if it is unknown whether they were counted. */
function takenAfter(events: Event[], end: number): Event[] {
  let rest = events.length;
  for (let event = events[rest - 1]; event && !isDecided(event) && event.from >= end; event = events[rest - 1]) rest--;
  return events.splice(rest);
}

/**
 * Whether a request came after the end of a window. If it may have come on either side, its marker or its Remaining
 * decides.
 *
 * @param least the least that was told to be left in the window
 * @param marker the latest one of the window
 */
function isBeyond(history: History, event: Event, end: number, least: number | null, marker: number | null): boolean {
  const { from, to, outcome, reset } = event;
  // A marker in whole seconds may have been rounded down.
  if (from >= end + TOLERANCE + (history.unit ?? 0)) return true;
  if (to < end - TOLERANCE || outcome === 'refused') return false;
  if (reset !== null && ownEnd(history, event) > end + TOLERANCE) return true;
  // Ends that are close to each other differ by less than the tolerance, but their markers differ.
  if (reset !== null && marker !== null && reset <= marker + (history.unit ?? 0) + TICK) return false;
  return hasMoreLeft(event, least);
}

/** Whether a request was accepted with more left than the least that was told before in its window. */
function hasMoreLeft({ outcome, remaining }: Event, least: number | null): boolean {
  return outcome === 'accepted' && remaining !== null && least !== null && remaining > least;
}

/** When the window that a request opens will end (µs of the run's clock): as its marker states, or a minute later. */
export function ownEnd({ offset }: History, { from, to, reset }: Event): number {
  const told = reset === null ? null : reset - (offset.low + offset.high) / 2;
  const isOwn = told !== null && told >= to - TOLERANCE && told <= to + WINDOW + TOLERANCE;
  return isOwn ? told : (from + to) / 2 + WINDOW;
}

/** Whether the marker of an answer is the end of its window, which is between some ends, as far as clocks show it. */
function tells({ offset, unit }: History, event: Event, ends: readonly number[]): boolean {
  const { reset, from, to } = event;
  if (reset === null || !isDecided(event) || !Number.isFinite(offset.low + offset.high)) return true;
  const slack = TOLERANCE + (unit ?? 0) + to - from;
  return reset >= Math.min(...ends) + offset.low - slack && reset <= Math.max(...ends) + offset.high + slack;
}
