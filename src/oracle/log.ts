import { atLeast, atMost, below, type Counts, upTo } from './counts.ts';
import type { Event } from './history.ts';
import { type Alternative, DRIFT, isAllKnown, itself, type Model, type ModelInput, type Span } from './model.ts';
import { lastSpent } from './spent.ts';

/** What a log's marker is one window after: its oldest entry, the entry that frees the next slot, its newest one, or the request. */
export type LogReset = 'oldest' | 'slot' | 'newest' | 'now';

/**
 * A sliding log (M3): a request at s is accepted iff at most limit − 1 entries lie in (s − window, s), and its marker is
 * the time when the oldest of them expires (or, with refusals logged, the one whose end frees a slot), or when all have, or
 * s + window.
 */
export function slidingLog(input: ModelInput, reset: LogReset): Model {
  const { counts, counting, limit, lag } = input;
  const slack = DRIFT * input.window + lag;
  const shortest = input.window - slack;
  const longest = input.window + slack;
  /** Whether more may be logged than fits when its marker is read: what was refused meanwhile is logged, too. */
  const mayBeOverfull = (event: Event): boolean =>
    event.outcome === 'refused' ||
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
    // Where a request gives one back, it is not known which of those that are logged goes.
    if (counts.returnedFrom.length > 0 || (reset === 'slot' && mayBeOverfull(event)))
      return [oldestLow + shortest, event.to + longest];
    return [Math.min(oldestLow, oldestHigh) + shortest, oldestHigh + longest];
  };
  const spentBefore = lastSpent(input);
  /** What the log holds at the least since it was found full: what has come since, and all but what may have left it. */
  const stillHeld = (event: Event): number => {
    const spent = spentBefore(event.from);
    if (!spent) return 0;
    const left = upTo(counts.possibleFrom, event.to - shortest) - below(counts.possibleTo, spent.from - longest);
    return limit + atLeast(counts, spent.to, event.from) - left;
  };
  const stretches = stretchStarts(input, shortest);
  const allKnown = isAllKnown(input);
  /** The stretch that the event lies in, by its start; null where it may lie in the next one as well. */
  const stretchOf = ({ from, to }: Event): number | null => {
    const start = stretches[upTo(stretches, from) - 1];
    return start !== undefined && to < start + shortest ? start : null;
  };
  /** Whether an entry may have left the log between the start of a stretch and the event. */
  const expiresSince = (start: number, event: Event): boolean =>
    upTo(counts.possibleFrom, event.to - shortest) > below(counts.possibleTo, start - longest);
  return {
    alternatives(event: Event): readonly Alternative[] {
      const [resetLow, resetHigh] = bounds(event);
      const stretch = stretchOf(event);
      return [
        {
          low: Math.max(atLeast(counts, event.to - shortest, event.from, event.to), stillHeld(event)),
          high: atMost(counts, event.from - longest, event.to, event.from) - itself(event, counting),
          resetLow,
          resetHigh,
          window: null,
          countedIn: stretch,
          leaving: allKnown && stretch !== null && !expiresSince(stretch, event) ? 0 : null,
          ends: Number.POSITIVE_INFINITY,
          latched: false,
        },
      ];
    },
    /** All that lie within less than a window are in the log together when the last of them is decided. */
    overfull(): Span | null {
      const [froms, tos] = limitedTimes(input);
      for (const to of tos) {
        const start = to - shortest;
        if (upTo(tos, to) - upTo(froms, start) > limit) {
          return { startLow: start, startHigh: start, sureFrom: start, endLow: to, endHigh: to };
        }
      }
      return null;
    },
  };
}

/** Where stretches begin that are shorter than a window, one after the other from the first request on (µs): what is logged in one stays in the log until its end. */
function stretchStarts({ events }: ModelInput, shortest: number): Float64Array {
  const starts: number[] = [];
  for (const { from } of events) if (from >= (starts.at(-1) ?? Number.NEGATIVE_INFINITY) + shortest) starts.push(from);
  return Float64Array.from(starts);
}

/**
 * Starts and ends (µs, ascending) of what was certainly counted and held to the limit: all that was counted, but refusals, and what belongs to
 * another budget too, which is never refused here.
 */
function limitedTimes({ counts, counting, events }: ModelInput): readonly [Float64Array, Float64Array] {
  const countedBeyond = counting.refusedCounted || events.some(({ outcome }) => outcome === 'foreign');
  if (!countedBeyond) return [counts.certainFrom, counts.certainTo];
  const known = LIMITED.get(counts) ?? acceptedTimes(events);
  LIMITED.set(counts, known);
  return known;
}

/** Every log with the same counts asks for them. */
const LIMITED = new WeakMap<Counts, readonly [Float64Array, Float64Array]>();

function acceptedTimes(events: readonly Event[]): readonly [Float64Array, Float64Array] {
  const accepted = events.filter(({ outcome }) => outcome === 'accepted');
  return [Float64Array.from(accepted, ({ from }) => from), Float64Array.from(accepted, ({ to }) => to).sort()];
}
