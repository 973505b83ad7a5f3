import type { Deviation } from '../../deployment/operators.ts';
import type { Event, History } from '../../oracle/history.ts';
import { aloneIn } from '../../oracle/together.ts';
import { causeOf } from './taken-by.ts';
import { pairShows, type Shown } from './window-counts.ts';

/** Two answers of a budget, and how many that were sent between them took from it. */
interface Gap {
  readonly kind: History['kind'];
  readonly earlier: Event;
  readonly later: Event;
  readonly taken: number;
}

/**
 * Two answers of a window with no other request of their budget between them, of which the later has fewer left by just
 * as many as requests of other budgets came between: of all such, those with the fewest. This shows that others take
 * from a budget, whatever else is wrong with it. Null if the deviation is another, or no answers show it.
 *
 * @param all the histories of both kinds
 */
export function takenBetween(
  deviation: Deviation,
  histories: readonly History[],
  all: readonly History[],
): Shown | null {
  if (deviation.operator !== 'shared-kinds' && deviation.operator !== 'shared-keys') return null;
  const gaps = histories.flatMap((own) => gapsOf(own, takingFrom(own, deviation, all)));
  const [fewest] = gaps.toSorted((one, other) => one.taken - other.taken);
  if (!fewest) return null;
  const { kind, earlier, later, taken } = fewest;
  const [one, other] = [earlier, later].map(({ exchange }) => `#${exchange.seq}`);
  const sentence = `No other ${kind} of the key was sent from ${one} to ${other}, and ${other} left ${taken + 1} fewer. ${other} itself takes one.`;
  return pairShows(earlier, later, sentence);
}

/** The requests of other budgets that a deviation makes count in this one, in order of time. */
function takingFrom(own: History, deviation: Deviation, all: readonly History[]): readonly Event[] {
  const isCause = causeOf(deviation, own, all);
  return all
    .filter((other) => other !== own)
    .flatMap(({ events, ...budget }) => events.filter((event) => isCause(event, budget)))
    .sort((one, other) => one.from - other.from);
}

function gapsOf({ kind, events }: History, causes: readonly Event[]): readonly Gap[] {
  if (causes.length === 0) return [];
  const alone = new Set(aloneIn(events));
  return events.flatMap((later, at) => {
    const earlier = events[at - 1];
    if (!earlier || !alone.has(earlier) || !alone.has(later) || earlier.reset !== later.reset) return [];
    if (!tells(earlier) || !tells(later)) return [];
    const taken = (earlier.remaining ?? 0) - (later.remaining ?? 0) - 1;
    if (taken <= 0) return [];
    const meanwhile = causes.filter(({ from, to }) => from < later.to && to > earlier.from);
    const isBetween = meanwhile.every(({ from, to }) => from > earlier.to && to < later.from);
    return isBetween && meanwhile.length === taken ? [{ kind, earlier, later, taken }] : [];
  });
}

function tells({ outcome, remaining }: Event): boolean {
  return outcome === 'accepted' && remaining !== null;
}
