import { below, upTo } from './ascending.ts';
import { atLeast, atMost, type Counts } from './counts.ts';
import { type Event, isAnothers } from './history.ts';
import { limitedOf, timesOf } from './limited.ts';
import {
  type Alternative,
  DRIFT,
  isAllKnown,
  itself,
  type Model,
  type ModelInput,
  regainedBy,
  type Span,
} from './model.ts';
import { lastSpent } from './spent.ts';

/**
 * A log's marker is one window after: its oldest entry, the entry that frees the next slot, its newest one, or the
 * request.
 */
export type LogReset = 'oldest' | 'slot' | 'newest' | 'now';

/**
 * A sliding log (M3): a request at s is accepted if and only if at most limit − 1 entries lie in (s − window, s). Its
 * marker is the time when the oldest entry expires (or, if refusals are logged, the one that frees a slot), or when all
 * have expired, or s + window.
 */
export function slidingLog(input: ModelInput, reset: LogReset): Model {
  const { counts, counting, limit, lag, shared, racing = false } = input;
  const slack = DRIFT * input.window + lag;
  const shortest = input.window - slack;
  const longest = input.window + slack;
  /**
   * Whether the log may have too many entries when its marker is read: requests refused in the meantime are logged,
   * too, and so are those that were let through because they did not see each other.
   */
  const mayBeOverfull = (event: Event): boolean =>
    event.outcome === 'refused' ||
    racing ||
    (counting.refusedCounted && upTo(counts.refusedFrom, event.to) > below(counts.refusedTo, event.from));
  const bounds = (event: Event): readonly [number, number] => {
    if (reset === 'now' || (reset === 'newest' && event.outcome === 'accepted')) {
      return [event.from + shortest, event.to + longest];
    }
    if (reset === 'newest') {
      const before = counts.certainFrom[below(counts.certainTo, event.from) - 1] ?? Number.NEGATIVE_INFINITY;
      const latest = counts.latestTo[upTo(counts.possibleFrom, event.to) - 1] ?? event.to;
      return [Math.max(event.from, before + shortest), Math.min(event.to, latest) + longest];
    }
    const expired = upTo(counts.certainFrom, event.to - shortest);
    const oldestHigh = Math.min(counts.certainTo[expired] ?? event.to, event.to);
    const alive = below(counts.latestTo, event.from - longest);
    const oldestLow = Math.max(counts.possibleFrom[alive] ?? event.from, event.from - longest);
    // If a request gives one back, it is unknown which entry is removed.
    if (counts.returnedFrom.length > 0 || (reset === 'slot' && mayBeOverfull(event)))
      return [oldestLow + shortest, event.to + longest];
    return [Math.min(oldestLow, oldestHigh) + shortest, oldestHigh + longest];
  };
  const spentBefore = lastSpent(input);
  /**
   * A lower bound on the entries since the log was found full: those that came since, and those that cannot have left.
   */
  const stillHeld = (event: Event): number => {
    const spent = spentBefore(event.from);
    if (!spent) return 0;
    const left = upTo(counts.possibleFrom, event.to - shortest) - below(counts.possibleTo, spent.from - longest);
    return limit + atLeast(counts, spent.to, event.from) - left;
  };
  const stretches = stretchStarts(input, shortest);
  const allKnown = isAllKnown(input);
  /** The period in which the event lies, by its start; null if it may also lie in the next one. */
  const stretchOf = ({ from, to }: Event): number | null => {
    const start = stretches[upTo(stretches, from) - 1];
    return start !== undefined && to < start + shortest ? start : null;
  };
  /** Whether an entry may have left the log between the start of a period and the event. */
  const expiresSince = (start: number, event: Event): boolean =>
    upTo(counts.possibleFrom, event.to - shortest) > below(counts.possibleTo, start - longest);
  /** The most entries that may leave the log while a request is under way. */
  const expiring = ({ from, to }: Event): number =>
    upTo(counts.possibleFrom, to - shortest) - below(counts.possibleTo, from - longest);
  return {
    alternatives(event: Event, at?: number): readonly Alternative[] {
      const [resetLow, resetHigh] = bounds(event);
      const stretch = stretchOf(event);
      return [
        {
          low: Math.max(atLeast(counts, event.to - shortest, event.from, event.to), stillHeld(event)),
          high: atMost(counts, event.from - longest, event.to, event.from) - itself(event, counting),
          resetLow,
          resetHigh,
          alone: reset === 'now',
          window: null,
          countedIn: stretch,
          leaving: allKnown && stretch !== null && !expiresSince(stretch, event) ? 0 : null,
          outlasts: false,
          ends: Number.POSITIVE_INFINITY,
          latched: false,
          regained: regainedBy(event, counts, () =>
            shared ? takenThroughout(input, event, shortest, at) : expiring(event),
          ),
        },
      ];
    },
    /** All entries within less than a window are in the log together when the last of them is decided. */
    overfull(): Span | null {
      const { froms, tos, beyond } = limitedTimes(input);
      for (const to of tos) {
        const start = to - shortest;
        if (upTo(tos, to) - upTo(froms, start) > limit + beyond) {
          return { startLow: start, startHigh: start, sureFrom: start, endLow: to, endHigh: to };
        }
      }
      return null;
    },
  };
}

/** The most answers that are read back to see what was left in the minute before. */
const LOOK_BACK = 64;

/**
 * The most that can have been in the log from a minute before a request until it came, whoever sent it: what an answer
 * in that minute left was not in it.
 */
function takenThroughout(
  { events, limit }: ModelInput,
  { from, to }: Event,
  shortest: number,
  at = events.length,
): number {
  let left = 0;
  let looked = 0;
  for (let index = at - 1; index >= 0 && looked < LOOK_BACK; index--) {
    const event = events[index];
    if (!event || event.from >= from) continue;
    if (event.from <= to - shortest) break;
    looked += 1;
    if (event.outcome === 'accepted' && event.to < from) left = Math.max(left, event.remaining ?? 0);
  }
  return limit - left;
}

/**
 * The starts of successive periods shorter than a window, from the first request on (µs): what is logged in one stays
 * in the log until its end.
 */
function stretchStarts({ events }: ModelInput, shortest: number): Float64Array {
  const starts: number[] = [];
  for (const { from } of events) if (from >= (starts.at(-1) ?? Number.NEGATIVE_INFINITY) + shortest) starts.push(from);
  return Float64Array.from(starts);
}

/** Starts and ends (µs, ascending) of requests that were certainly counted and limited, and `Limited.beyond`. */
interface LimitedTimes {
  readonly froms: Float64Array;
  readonly tos: Float64Array;
  readonly beyond: number;
}

/**
 * All counted requests, except refusals and requests that also belong to another budget, which are never refused here.
 */
function limitedTimes({ counts, counting, events }: ModelInput): LimitedTimes {
  const countedBeyond = counting.refusedCounted || events.some(({ outcome }) => isAnothers(outcome));
  if (!countedBeyond) return { froms: counts.certainFrom, tos: counts.certainTo, beyond: 0 };
  const known = LIMITED.get(counts);
  if (known) return known;
  const { events: limited, beyond } = limitedOf(events);
  const found = { ...timesOf(limited), beyond };
  LIMITED.set(counts, found);
  return found;
}

/** Every log with the same counts needs them. */
const LIMITED = new WeakMap<Counts, LimitedTimes>();
