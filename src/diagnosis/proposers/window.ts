import { ALL_LAYERS, WITH_REMAINING } from '../../oracle/check.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { findWindow } from '../../oracle/length.ts';
import type { Shape } from '../../oracle/shapes.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { byMarker, byWindow, changed, limitTold, markedLater, type World, withEvents } from '../world.ts';
import { limitsOf, mayBeSet } from './limit.ts';
import { bitsOfLength, roundest, roundestAmid, TENTH, WRONG_UNIT } from './round.ts';
import { lengthOfTurns } from './turns.ts';

/** Bits for markers that state a minute all the same. */
const UNTOLD_BITS = 1;

const SECOND = 1_000_000;

/** Usual lengths beyond two minutes, which no run can measure, in µs. */
const USUAL = [120, 180, 300, 600, 900, 1800, 3600, 86_400].map((seconds) => seconds * SECOND);

/**
 * Windows of another length: the distance of the markers, how far they lie ahead, or what the decisions of one budget
 * show.
 */
export function* proposeLengths(world: World, { kind, work }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  const ahead = furthestMarker(world.histories);
  if (isHardlyAhead(ahead)) {
    for (const length of WRONG_UNIT) yield* ofLength(ofShort(world, length), kind, length, length);
    yield* dividedInto(ofShort(world, SECOND), kind, SECOND);
  }
  const lengths = lengthsTold(world.histories, ahead ?? 0);
  const [stated] = ahead === null ? [] : lengths;
  for (const length of lengths) {
    for (const proposal of ofLength(world, kind, length, length)) {
      yield { ...proposal, ...(length === stated && { isStated: true }) };
    }
    // As far apart as windows are long, and further ahead: each marker is off by the same.
    if (ahead !== null && ahead > length + SECOND) yield* ofLength(world, kind, length, WINDOW);
    // A marker that has passed before the window ends is often put off to the next second until it does.
    if (ahead !== null && ahead < length - SECOND) yield* ofLength(withoutPutOff(world), kind, length, WINDOW);
  }
  for (const length of lengths) yield* dividedInto(world, kind, length);
  const turns = lengthOfTurns(world.histories);
  const turned = turns && roundestAmid(turns);
  if (turned) {
    if (!lengths.has(turned)) yield* ofLength(world, kind, turned, turned);
    // The markers of longer windows may lie a minute ahead all the same.
    if (turned > WINDOW) yield* ofLength(world, kind, turned, WINDOW);
  }
  const spent = world.histories.find(({ events }) => events.some(({ outcome }) => outcome === 'refused'));
  const found = spent && findWindow(spent, ALL_LAYERS, work);
  const measured = found && roundestAmid(found.length);
  if (measured && !lengths.has(measured)) yield* ofLength(world, kind, measured, measured);
  const untold = spent && !found && findWindow(spent, WITH_REMAINING, work);
  if (untold) yield* ofLength(world, kind, roundest(untold.length), WINDOW);
}

/** Without the markers that lie hardly after their answers. */
function withoutPutOff(world: World): World {
  return changed(world, (history) =>
    withEvents(history, (event) => {
      const isPutOff = event.reset !== null && event.reset - history.offset.high < event.to + 2 * SECOND;
      return isPutOff ? { ...event, reset: null } : event;
    }),
  );
}

/**
 * Another limit in windows of another length: both are one setting, such as 10 a second. The length is one that markers
 * tell, and the limit is what is left, stated or let through.
 */
export function* proposePolicies(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  const ahead = furthestMarker(world.histories);
  if (isHardlyAhead(ahead)) yield* settings(ofShort(world, SECOND), kind, SECOND);
  for (const length of lengthsTold(world.histories, ahead ?? 0)) {
    // Nobody sets another limit in 56 s: such a length is one of the gaps between markers that mean something else.
    if (WINDOW % length === 0 || length % WINDOW === 0) yield* settings(world, kind, length);
  }
}

/**
 * Sliding counters of a second, with the stated limit or another. A proposer of its own, because they take the most
 * work.
 */
export function* proposeShortCounters(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW || !isHardlyAhead(furthestMarker(world.histories))) return;
  const counters = world.shapes.filter(({ mechanism, lag }) => lag === 0 && mechanism.startsWith('counter'));
  const under = { ...world, shapes: counters };
  yield* ofLength(under, kind, SECOND, SECOND);
  yield* dividedInto(under, kind, SECOND);
  yield* settings(under, kind, SECOND);
}

/** Other limits in windows of this length. */
function* settings(world: World, kind: SearchContext['kind'], length: number): Iterable<Proposal> {
  for (const lengths of ofLength(world, kind, length, length)) {
    for (const limits of limitsOf(world.histories, lengths.world, kind)) {
      if (!limits.deviations.every((each) => each.operator === 'other-limit' && mayBeSet(each.parameters))) continue;
      yield {
        deviations: [...lengths.deviations, ...limits.deviations],
        bits: lengths.bits + limits.bits - DEVIATION_BITS,
        world: limits.world,
      };
    }
  }
}

/** Whether no marker lies more than a second after its answer, so that there is hardly a window. */
function isHardlyAhead(ahead: number | null): ahead is number {
  return ahead !== null && ahead <= SECOND;
}

/** The world with those mechanisms that a run can soon be held against if it has hundreds of windows, or thousands. */
function ofShort(world: World, length: number): World {
  const isAble = ({ mechanism, lag }: Shape): boolean =>
    lag === 0 && (mechanism === 'anchored' || (length >= SECOND && !mechanism.startsWith('counter')));
  return { ...world, shapes: world.shapes.filter(isAble) };
}

function* ofLength(world: World, kind: SearchContext['kind'], length: number, told: number): Iterable<Proposal> {
  if (Math.abs(length - WINDOW) <= SECOND) return;
  yield {
    deviations: [{ operator: 'window-length', parameters: { kinds: [kind], length, told, from: 'always' } }],
    bits: DEVIATION_BITS + bitsOfLength(length) + (told === length ? 0 : UNTOLD_BITS),
    // A marker that states the wrong length is off by the difference.
    world: { ...(told === length ? world : markedLater(world, length - told)), window: length },
  };
}

/** Bits to say what the headers tell of a limit that is divided: what is stated, or the part. */
const PART_BITS = 2;

/** A limit that is divided into equal parts, one for each of several shorter windows: the rate is the stated one. */
function* dividedInto(world: World, kind: SearchContext['kind'], length: number): Iterable<Proposal> {
  const [first] = world.histories;
  const parts = WINDOW / length;
  if (!first || length > WINDOW / 2) return;
  const limitHeader = world.histories.flatMap(({ events }) => events.flatMap((event) => limitTold(event) ?? []))[0];
  for (const limit of new Set([Math.floor(first.limit / parts), Math.ceil(first.limit / parts)])) {
    if (limit < 1) continue;
    for (const shown of [limit, first.limit]) {
      const told = { limitHeader: limitHeader ?? first.limit, remainingFrom: shown, from: 'always' } as const;
      yield {
        deviations: [
          { operator: 'window-length', parameters: { kinds: [kind], length, told: length, from: 'always' } },
          { operator: 'other-limit', parameters: { kind, limit, ...told } },
        ],
        bits: DEVIATION_BITS + bitsOfLength(length) + PART_BITS,
        world: changed({ ...world, window: length }, (history) => ({ ...history, limit, shown })),
      };
    }
  }
}

/**
 * Lengths that markers tell: by how far apart they are, and by how far after its answer the furthest lies, where it
 * does.
 */
function lengthsTold(histories: readonly History[], ahead: number): ReadonlySet<number> {
  const common = commonGap(histories);
  const gaps = [...markerGaps(histories), ...(common === null ? [] : [common])];
  if (ahead <= 0) return new Set(gaps);
  // A lower bound, because it is not known to the second when the marker was made.
  const told =
    ahead > 2 * WINDOW ? USUAL.find((length) => length >= ahead) : roundest({ low: ahead, high: ahead + 2 * SECOND });
  // The gaps between markers of a log are as long as those between its requests.
  return new Set(told === undefined ? gaps : [told, ...gaps]);
}

/** How far a marker lies after its answer at most, in µs of the run's clock; null if no clock shows it. */
function furthestMarker(histories: readonly History[]): number | null {
  const ahead = histories.flatMap(({ events, offset }) =>
    Number.isFinite(offset.low) && Number.isFinite(offset.high)
      ? events.flatMap(({ reset, to }) => (reset === null ? [] : [reset - offset.high - to]))
      : [],
  );
  return ahead.length === 0 ? null : ahead.reduce((most, each) => Math.max(most, each), Number.NEGATIVE_INFINITY);
}

/** Requests with one marker: when the last of them was sent, and when the first was answered (µs). */
interface Marked {
  readonly reset: number;
  readonly lastSent: number;
  readonly firstAnswered: number;
}

/**
 * The distance of successive windows of a budget, if it is the same for all (µs). It is more precise than the unit of a
 * marker, because it adds up over several windows, and because requests show when one window followed another. Null if
 * no single distance explains them.
 */
function commonGap(histories: readonly History[]): number | null {
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  const narrow = (from: number, to: number, windows: number): void => {
    low = Math.max(low, from / windows);
    high = Math.min(high, to / windows);
  };
  for (const { events, unit } of histories) {
    const told = byWindow(events, SHORTEST);
    // If each request has its own marker, the markers show no windows.
    if (told === null) return null;
    const windows = told.map(markedBy).sort((one, other) => one.reset - other.reset);
    for (const [at, { reset, lastSent, firstAnswered }] of windows.entries()) {
      const before = windows[at - 1];
      for (const [after, later] of windows.slice(at + 1).entries()) {
        const apart = later.reset - reset;
        narrow(apart - (unit ?? 0), apart + (unit ?? 0), after + 1);
        // The beginning of this window and that of the later one.
        const sent = windows[at + after]?.lastSent ?? lastSent;
        if (before) narrow(sent - firstAnswered, later.firstAnswered - before.lastSent, after + 1);
      }
    }
  }
  const middle = (low + high) / 2;
  if (low >= high || middle < SHORTEST || middle > 2 * WINDOW) return null;
  return Math.round(middle / TENTH) * TENTH;
}

function markedBy(events: readonly Event[]): Marked {
  return {
    reset: events[0]?.reset ?? 0,
    lastSent: events.reduce((latest, { from }) => Math.max(latest, from), Number.NEGATIVE_INFINITY),
    firstAnswered: events.reduce((earliest, { to }) => Math.min(earliest, to), Number.POSITIVE_INFINITY),
  };
}

/** Markers closer than this, in µs, usually do not show windows of a minute. */
const SHORTEST = 5_000_000;

/** The distances of successive markers of one budget, in µs: the most frequent ones. */
function markerGaps(histories: readonly History[]): readonly number[] {
  const votes = new Map<number, number>();
  for (const { events } of histories) {
    const told = [...byMarker(events).keys()].sort((one, other) => one - other);
    told.slice(1).forEach((reset, index) => {
      const gap = Math.round((reset - (told[index] ?? reset)) / TENTH) * TENTH;
      if (gap >= SHORTEST && gap <= 2 * WINDOW) votes.set(gap, (votes.get(gap) ?? 0) + 1);
    });
  }
  return [...votes]
    .sort(([, one], [, other]) => other - one)
    .slice(0, 3)
    .map(([gap]) => gap);
}
