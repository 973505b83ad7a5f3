import type { MovedEnd } from '../../deployment/deviations/moved-end.ts';
import { WITH_REMAINING } from '../../oracle/check.ts';
import { upTo } from '../../oracle/counts.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { shape } from '../../oracle/shapes.ts';
import { clocked } from '../clocked.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { isDecided, unclear, type World } from '../world.ts';
import { bitsOfLength } from './round.ts';

/** Bits to state which of some seven rules it is and, for bad requests, by which answers they are known. */
export const RULE_BITS = Math.log2(7);
const STATUS_BITS = 2;

/** Bits for markers that state another end and are not judged. */
export const UNTOLD_BITS = 6;

/** µs: longer than any run, so that a part of a history has one window. */
const NO_END = 100 * WINDOW;

/** The uncertainty of an end, in µs: clocks that tick in whole seconds, and the resolution of timers. */
export const TOLERANCE = 1_100_000;

/** The precision of a marker that is computed anew for each answer, in µs. */
const TICK = 50_000;

/** What moves the end of an open window. */
interface Rule {
  readonly trigger: MovedEnd['trigger'];
  /** The answers by which a bad request is known. */
  readonly statuses?: readonly number[];
  /** Whether this request moves it. */
  readonly moves: (event: Event, isFirstRefusal: boolean) => boolean;
  /** How long after the request the window may end, in µs. If 0, the request begins the next window. */
  readonly after: readonly number[];
}

/** Usual times for which keys over their limit are blocked, in µs. */
export const BLOCKS = [4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 45, 60, 90, 120].map((seconds) => seconds * 1_000_000);

const RULES: readonly Rule[] = [
  { trigger: 'request', moves: (event) => isDecided(event) || event.outcome === 'failed', after: [WINDOW] },
  { trigger: 'request', moves: ({ outcome }) => outcome === 'accepted', after: [WINDOW] },
  { trigger: 'refusal', moves: ({ outcome }) => outcome === 'refused', after: BLOCKS },
  { trigger: 'first refusal', moves: (_, isFirstRefusal) => isFirstRefusal, after: BLOCKS },
  ...[[400], [404], [400, 404]].map(
    (statuses): Rule => ({
      ...{ trigger: 'bad request', statuses, after: [WINDOW, 0] },
      moves: ({ outcome, exchange }) => outcome !== 'refused' && statuses.includes(exchange.status ?? 0),
    }),
  ),
];

/**
 * Windows whose ends are moved by requests, with a rule that says when each of them ends; and windows that never end.
 */
export function* proposeTriggers(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  const histories = clocked(world.histories);
  for (const { trigger, statuses, moves, after: lengths } of RULES) {
    // A block ends a window, or only delays its end.
    for (const [after, puts] of lengths.flatMap((each) => [
      [each, 'end'] as const,
      ...(each > 0 && each < WINDOW ? [[each, 'later end'] as const] : []),
    ])) {
      const split = histories.map((history) => partsOf(history, moves, after, puts));
      if (!split.some(({ isMoved }) => isMoved)) continue;
      const told = split.every(({ isTold }) => isTold);
      if (!told && !split.every(keepsItsMarkers)) continue;
      const by = statuses ? { statuses } : {};
      yield {
        deviations: [
          { operator: 'moved-end', parameters: { kinds: [kind], trigger, ...by, to: { after }, idle: 0, told } },
        ],
        bits:
          DEVIATION_BITS +
          RULE_BITS +
          (statuses ? STATUS_BITS : 0) +
          (after === WINDOW || after === 0 ? 0 : bitsOfLength(after)) +
          (told ? 0 : UNTOLD_BITS),
        world: endless(
          world,
          split.flatMap(({ parts }) => parts),
        ),
      };
    }
  }
  if (!world.histories.some(({ events }) => (events.at(-1)?.from ?? 0) - (events[0]?.to ?? 0) > 2 * WINDOW)) return;
  yield {
    deviations: [
      { operator: 'window-length', parameters: { kinds: [kind], length: null, told: WINDOW, from: 'always' } },
    ],
    bits: DEVIATION_BITS + RULE_BITS,
    world: endless(world, world.histories),
  };
}

/** At least this share of the answers of a window state one end, if the marker is that of the window as it was. */
const OF_ONE_END = 0.9;

/**
 * Whether the windows of a history state one end each, or ends that are whole minutes apart: a marker that does not tell of
 * a moved end is still that of a window, so it is not more than a window ahead.
 */
export function keepsItsMarkers({ parts }: Pick<Parts, 'parts'>): boolean {
  return parts.every(({ events, unit, offset }) => {
    const latest = WINDOW + TOLERANCE + (unit ?? 0) + offset.high;
    if (events.some((event) => isDecided(event) && event.reset !== null && event.reset > event.to + latest))
      return false;
    const markers = events.flatMap((event) => (isDecided(event) && event.reset !== null ? [event.reset % WINDOW] : []));
    const around = Float64Array.from([...markers, ...markers.map((marker) => marker + WINDOW)]).sort();
    const most = around.reduce((sum, marker, at) => Math.max(sum, upTo(around, marker + (unit ?? 0) + TICK) - at), 0);
    return most >= OF_ONE_END * markers.length;
  });
}

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
 * @param after how long after the request that moves it a window ends, in µs
 * @param puts whether it then ends in any case, or only if it would have ended sooner
 * @param beside requests of another budget that move the ends as well, in order of `from`
 */
export function partsOf(
  history: History,
  moves: Rule['moves'],
  after: number,
  puts: 'end' | 'later end',
  beside: readonly Event[] = [],
): Parts {
  const parts: Event[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  let least: number | null = null;
  let blockedUntil = Number.NEGATIVE_INFINITY;
  let movedUntil = Number.NEGATIVE_INFINITY;
  let endBefore = Number.NEGATIVE_INFINITY;
  let isMoved = false;
  let isEnded = false;
  let isTold = true;
  let next = 0;
  for (const event of history.events) {
    const { from, to, outcome } = event;
    // Those beside it come first if they overlap, since its marker may state the end that they moved.
    const by = isDecided(event) ? to : from;
    for (let other = beside[next]; other && other.from <= by; other = beside[++next]) {
      const at = (other.from + other.to) / 2;
      // So close to the end, it may have come before or after it: after it, the next request of the budget has more left.
      const isLate = outcome === 'refused' ? at >= end + TOLERANCE : at >= end;
      if (parts.length === 0 || isLate) continue;
      if (at > end - TOLERANCE - (history.unit ?? 0) && hasMoreLeft(event, least)) continue;
      if (other.from > movedUntil) endBefore = end;
      movedUntil = Math.max(movedUntil, other.to);
      isMoved ||= Math.abs(at + after - end) > TOLERANCE;
      end = at + after;
    }
    const left = outcome === 'refused' ? 0 : event.remaining;
    if (isEnded && isDecided(event)) {
      end = ownEnd(history, event);
      isEnded = false;
    } else if (parts.length === 0 || (isDecided(event) && isBeyond(history, event, end, least))) {
      parts.push(takenAfter(parts.at(-1) ?? [], end));
      end = ownEnd(history, event);
      least = null;
    }
    parts.at(-1)?.push(event);
    if (left !== null) least = Math.min(least ?? left, left);
    // A refusal during a block is not a first one. After the block, the next one is.
    const isFirst = outcome === 'refused' && to >= blockedUntil;
    if (isFirst) blockedUntil = (from + to) / 2 + after;
    // A request after the end of the window, which opens no other, moves nothing.
    if (moves(event, isFirst) && from < end + TOLERANCE) {
      if (from > movedUntil) endBefore = end;
      movedUntil = Math.max(movedUntil, to);
      const moved = Math.max((from + to) / 2 + after, puts === 'later end' ? end : Number.NEGATIVE_INFINITY);
      isMoved ||= Math.abs(moved - end) > TOLERANCE;
      end = moved;
      if (after === 0) {
        parts.at(-1)?.pop();
        // It is open which window its headers belong to, and whether it opens the next one.
        parts.push([unclear(event)]);
        isEnded = true;
        least = null;
      }
    }
    // Requests under way at the same time as those that moved the end may have been answered before them.
    isTold &&= tells(history, event, end) || (from <= movedUntil && tells(history, event, endBefore));
  }
  return { parts: parts.filter(({ length }) => length > 0).map((events) => ({ ...history, events })), isMoved, isTold };
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
 */
function isBeyond(history: History, event: Event, end: number, least: number | null): boolean {
  const { from, to, outcome, reset } = event;
  // A marker in whole seconds may have been rounded down.
  if (from >= end + TOLERANCE + (history.unit ?? 0)) return true;
  if (to < end - TOLERANCE || outcome === 'refused') return false;
  if (reset !== null) return ownEnd(history, event) > end + TOLERANCE;
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

/** Whether the marker of an answer is the end of its window, as far as clocks show it. */
function tells({ offset, unit }: History, event: Event, end: number): boolean {
  const { reset, from, to } = event;
  if (reset === null || !isDecided(event) || !Number.isFinite(offset.low + offset.high)) return true;
  const slack = TOLERANCE + (unit ?? 0) + to - from;
  return reset >= end + offset.low - slack && reset <= end + offset.high + slack;
}
