import type { Deviation } from '../../deployment/operators.ts';
import { inOrder } from '../../diagnosis/world.ts';
import { below, numbersOf, upTo } from '../../oracle/ascending.ts';
import type { Event, History } from '../../oracle/history.ts';
import { aloneIn } from '../../oracle/together.ts';
import { takingFrom } from './taken-by.ts';
import { pairShows, type Shown } from './window-counts.ts';

/** Two answers of a budget, and how many that were sent between them took from it. */
interface Gap {
  readonly kind: History['kind'];
  readonly earlier: Event;
  readonly later: Event;
  readonly taken: number;
}

/** Each budget that is examined takes a look at all requests of the run. */
const MOST_BUDGETS = 16;

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
  const open = histories.map((own) => ({ own, gaps: gapsOf(own) })).filter(({ gaps }) => gaps.length > 0);
  const filled = open
    .slice(0, MOST_BUDGETS)
    .flatMap(({ own, gaps }) => filledBy(inOrder(takingFrom(own, deviation, all)), gaps));
  const [fewest] = filled.toSorted((one, other) => one.taken - other.taken);
  if (!fewest) return null;
  const { kind, earlier, later, taken } = fewest;
  const [one, other] = [earlier, later].map(({ exchange }) => `#${exchange.seq}`);
  const sentence = `No other ${kind} of the key was sent from ${one} to ${other}, and ${other} left ${taken + 1} fewer. ${other} itself takes one.`;
  return pairShows(earlier, later, sentence);
}

/** The pairs of answers of a budget between which requests of others seem to have taken from it. */
function gapsOf({ kind, events }: History): readonly Gap[] {
  const alone = new Set(aloneIn(events));
  return events.flatMap((later, at) => {
    const earlier = events[at - 1];
    if (!earlier || !alone.has(earlier) || !alone.has(later) || earlier.reset !== later.reset) return [];
    if (!tells(earlier) || !tells(later)) return [];
    const taken = (earlier.remaining ?? 0) - (later.remaining ?? 0) - 1;
    return taken > 0 ? [{ kind, earlier, later, taken }] : [];
  });
}

/** The gaps in which just as many of these requests came, and none at the same time as one of the two answers. */
function filledBy(causes: readonly Event[], gaps: readonly Gap[]): readonly Gap[] {
  const sent = numbersOf(causes, ({ from }) => from);
  let latest = Number.NEGATIVE_INFINITY;
  const answeredBy = causes.map(({ to }) => {
    latest = Math.max(latest, to);
    return latest;
  });
  return gaps.filter(({ earlier, later, taken }) => {
    const [first, next] = [upTo(sent, earlier.to), below(sent, later.to)];
    const isBefore = (answeredBy[first - 1] ?? Number.NEGATIVE_INFINITY) < earlier.from;
    return isBefore && next - first === taken && (answeredBy[next - 1] ?? 0) < later.from;
  });
}

function tells({ outcome, remaining }: Event): boolean {
  return outcome === 'accepted' && remaining !== null;
}
