import type { Event, History } from '../../oracle/history.ts';
import { together } from '../../oracle/together.ts';

/** A cost seen less often than this among the requests of a class is chance. */
const LEAST_SEEN = 2;

/**
 * What a request of each class costs according to the answers: the most frequent difference to the answer before. Among
 * requests under way at the same time, the one that leaves less came later. Only costs of three and more; one and two
 * need not be measured.
 */
export function toldCosts(
  histories: readonly History[],
  classOf: (event: Event) => string,
): ReadonlyMap<string, number> {
  const seen = new Map<string, Map<number, number>>();
  for (const { event, cost } of histories.flatMap(dropsOfEach)) {
    const name = classOf(event);
    const costs = seen.get(name) ?? new Map<number, number>();
    seen.set(name, costs);
    costs.set(cost, (costs.get(cost) ?? 0) + 1);
  }
  const told = new Map<string, number>();
  for (const [name, costs] of seen) {
    const [most] = [...costs].sort(([, one], [, other]) => other - one);
    if (most && most[0] > 2 && most[1] >= LEAST_SEEN) told.set(name, most[0]);
  }
  return told;
}

/**
 * What a failed request of each class costs according to the answers before and after it, including what is charged
 * only after its own answer: the two most frequent costs of three and more.
 */
export function costsAround(
  histories: readonly History[],
  classOf: (event: Event) => string,
): ReadonlyMap<string, readonly number[]> {
  const seen = Map.groupBy(histories.flatMap(costsOfFailed), ({ event }) => classOf(event));
  return new Map(
    [...seen].map(([name, costs]) => {
      const often = [...Map.groupBy(costs, ({ cost }) => cost)].sort(
        ([one, many], [other, more]) => more.length - many.length || one - other,
      );
      return [name, often.map(([cost]) => cost).slice(0, 2)];
    }),
  );
}

/** Only those between two answers that are under way with no other request. */
function costsOfFailed({ events }: History): readonly Cost[] {
  const told = events.filter(
    ({ outcome, remaining }) => (outcome === 'accepted' || outcome === 'failed') && remaining !== null,
  );
  return told.flatMap((event, at) => {
    const [before, after] = [told[at - 1], told[at + 1]];
    if (event.outcome !== 'failed' || !before || !after || before.to > event.from || event.to > after.from) return [];
    const cost = left(before) - left(after) - 1;
    return cost > 2 ? [{ event, cost }] : [];
  });
}

/** A request, and how much less it leaves than the one before it. */
interface Cost {
  readonly event: Event;
  readonly cost: number;
}

/** The cost of each request that leaves less than the one before it. */
function dropsOfEach({ events }: History): readonly Cost[] {
  const found = COSTS.get(events) ?? findCosts(events);
  COSTS.set(events, found);
  return found;
}

/** Kept, because every attribute by which requests may have different costs asks for them. */
const COSTS = new WeakMap<readonly Event[], readonly Cost[]>();

function findCosts(events: readonly Event[]): readonly Cost[] {
  const accepted = events.filter(({ outcome, remaining }) => outcome === 'accepted' && remaining !== null);
  const inTurn = together(accepted).flatMap((crowd) => crowd.toSorted((one, other) => left(other) - left(one)));
  return inTurn.flatMap((event, at) => {
    const before = inTurn[at - 1];
    const cost = before ? left(before) - left(event) : 0;
    return cost > 0 ? [{ event, cost }] : [];
  });
}

function left({ remaining }: Event): number {
  return remaining ?? 0;
}
