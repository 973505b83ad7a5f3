import { ascending, numbersOf } from './ascending.ts';
import { type Event, isAnothers } from './history.ts';

/** Requests that a limiter lets through only while the limit is not reached. */
export interface Limited {
  /** In order of `from`. */
  readonly events: readonly Event[];
  /** By how many they may exceed the limit together: one that costs several may be let through while one is left. */
  readonly beyond: number;
}

/**
 * Those accepted, and under the hypothesis that some cost several, each further count of them. What was counted for
 * another budget is limited there.
 */
export function limitedOf(events: readonly Event[]): Limited {
  const known = LIMITED.get(events) ?? findLimited(events);
  LIMITED.set(events, known);
  return known;
}

const LIMITED = new WeakMap<readonly Event[], Limited>();

/** Starts and ends (µs, ascending) of events in order of `from`. */
export function timesOf(events: readonly Event[]): { readonly froms: Float64Array; readonly tos: Float64Array } {
  return {
    froms: numbersOf(events, ({ from }) => from),
    tos: ascending(numbersOf(events, ({ to }) => to)),
  };
}

function findLimited(events: readonly Event[]): Limited {
  const accepted = events.filter(({ outcome }) => outcome === 'accepted');
  if (!events.some(({ outcome }) => isAnothers(outcome))) return { events: accepted, beyond: 0 };
  const cost = new Map(accepted.map(({ exchange }) => [exchange, 0]));
  const limited = events.filter(({ outcome, exchange }) => {
    const counted = cost.get(exchange);
    if (counted === undefined || !(outcome === 'accepted' || isAnothers(outcome))) return false;
    cost.set(exchange, counted + 1);
    return true;
  });
  const most = [...cost.values()].reduce((one, other) => Math.max(one, other), 1);
  return { events: limited, beyond: most - 1 };
}
