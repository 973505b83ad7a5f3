import { below, type Counts, upTo } from './counts.ts';
import type { Event } from './history.ts';
import { itself, type ModelInput } from './model.ts';

/** A refusal about which nothing was under way that may have been counted. */
export interface Spent {
  /** When it was sent and answered, in µs. */
  readonly from: number;
  readonly to: number;
}

/** The times at which a budget was found spent, by when they were answered, and when that was. */
interface Found {
  readonly times: readonly Spent[];
  readonly ends: Float64Array;
}

/**
 * The last time before another that the budget was found spent: however many of those were counted of which it is not known, as many as the
 * limit were, and all that is left since is what has left the count. Null where there is none, where it tells nothing new, where some are given
 * back, or where others that are not known of may have left the count, too.
 */
export function lastSpent(input: ModelInput): (time: number) => Spent | null {
  const { counts, shared } = input;
  if (shared) return NEVER;
  const known = FOUND.get(counts) ?? findSpent(input);
  FOUND.set(counts, known);
  const { times, ends } = known;
  if (times.length === 0) return NEVER;
  // As a rule one asks for times that follow each other, between which the budget was seldom found spent.
  let last = 0;
  return (time) => {
    const isLast = (last === 0 || (ends[last - 1] ?? 0) < time) && (last === ends.length || (ends[last] ?? 0) >= time);
    if (!isLast) last = below(ends, time);
    return times[last - 1] ?? null;
  };
}

const NEVER = () => null;

/** By the counts, which are made anew for another history. */
const FOUND = new WeakMap<Counts, Found>();

function findSpent({ counts, counting, events }: ModelInput): Found {
  const { certainFrom, possibleFrom, possibleTo, transientFrom, transientTo, returnableFrom } = counts;
  const underWay = (from: Float64Array, to: Float64Array, event: Event): number =>
    upTo(from, event.to) - below(to, event.from);
  const tells = certainFrom.length < possibleFrom.length && returnableFrom.length === 0;
  const times = !tells
    ? []
    : events
        .filter(
          (event) =>
            event.outcome === 'refused' &&
            underWay(possibleFrom, possibleTo, event) === itself(event, counting) &&
            underWay(transientFrom, transientTo, event) === 0,
        )
        .sort((one, other) => one.to - other.to);
  return { times, ends: Float64Array.from(times, ({ to }) => to) };
}
