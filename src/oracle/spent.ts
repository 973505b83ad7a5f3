import { below, numbersOf } from './ascending.ts';
import { type Counts, underWay } from './counts.ts';
import { itself, type ModelInput } from './model.ts';

/** A refusal while nothing was under way that may have been counted. */
export interface Spent {
  /** When it was sent and answered, in µs. */
  readonly from: number;
  readonly to: number;
}

/** The times at which a budget was found spent, ordered by their answers. */
interface Found {
  readonly times: readonly Spent[];
  readonly ends: Float64Array;
}

/**
 * The last time before another at which the budget was found spent. However many uncertain requests were counted, the
 * total was the limit then, and what is left since is what has left the count. Null if there is none, if it shows
 * nothing new, if requests are given back, or if unknown requests of others may have left the count, too.
 */
export function lastSpent(input: ModelInput): (time: number) => Spent | null {
  const { counts, shared } = input;
  if (shared) return NEVER;
  const known = FOUND.get(counts) ?? findSpent(input);
  FOUND.set(counts, known);
  const { times, ends } = known;
  if (times.length === 0) return NEVER;
  // Callers usually ask for successive times, between which the budget was seldom found spent.
  let last = 0;
  return (time) => {
    const isLast = (last === 0 || (ends[last - 1] ?? 0) < time) && (last === ends.length || (ends[last] ?? 0) >= time);
    if (!isLast) last = below(ends, time);
    return times[last - 1] ?? null;
  };
}

const NEVER = () => null;

/** Keyed by the counts, which are new for another history. */
const FOUND = new WeakMap<Counts, Found>();

function findSpent({ counts, counting, events }: ModelInput): Found {
  const { certainFrom, possibleFrom, possibleTo, transientFrom, transientTo, returnableFrom } = counts;
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
  return { times, ends: numbersOf(times, ({ to }) => to) };
}
