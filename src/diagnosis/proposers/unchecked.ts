import type { Stretch } from '../../deployment/deviations/sporadic-admission.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { type Event, type History, REFUND_DELAY } from '../../oracle/history.ts';
import { together } from '../../oracle/together.ts';
import type { Kind } from '../../trace/exchange.ts';
import { DEVIATION_BITS, MOMENT_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { byWindow, changed, inOrder, isDecided, unclear, type World, withEvents } from '../world.ts';
import { isServed } from './admission.ts';
import { bitsOfRace, inAll, lossIn } from './losses.ts';

/**
 * µs after its answer within which a request that was let through unchecked is still counted: as long as a refund may
 * take.
 */
const LATE = REFUND_DELAY;

/**
 * Requests that are let through without a decision of the limiter: their answers say that nothing, or only this
 * request, was used, again and again in a window. They may be counted when the limiter comes to them. It happens now and
 * then, or to all requests while an outage lasts.
 */
export function* proposeUnchecked(world: World, { kind }: SearchContext): Iterable<Proposal> {
  for (const used of [0, 1]) {
    const isWhole = (event: Event, { shown }: History): boolean => isServed(event) && event.remaining === shown - used;
    const found = world.histories.map((history) => history.events.filter((event) => isWhole(event, history)));
    const whole = new Set(found.flat());
    // The first request of each window says rightly that only it was used.
    const isRight = world.histories.every(({ unit }, at) => {
      const own = found[at] ?? [];
      return (byWindow(own, world.window, unit) ?? [own]).every(({ length }) => length <= used);
    });
    if (isRight) continue;
    const told = world.histories.flatMap(({ events }) => events.filter((event) => isServed(event) || isDecided(event)));
    const outage = longestRun(inOrder(told), whole);
    const [first] = outage;
    if (first && outage.length >= FEWEST_IN_OUTAGE) {
      const to = outage.reduce((latest, event) => Math.max(latest, event.to), first.to);
      yield {
        deviations: [deviationOf(kind, 1, { from: first.from, to })],
        bits: DEVIATION_BITS + 1 + 2 * MOMENT_BITS,
        world: unchecked(world, new Set(outage)),
      };
    }
    const groups = world.histories.flatMap(({ events }) => together(events.filter(isServed)));
    const losses = groups.map((group) => lossIn(group, (event) => whole.has(event)));
    const { of } = inAll(losses);
    yield {
      deviations: [deviationOf(kind, Math.max(2, Math.round(of / whole.size)))],
      bits: DEVIATION_BITS + 1 + bitsOfRace(losses),
      world: unchecked(world, whole),
    };
  }
}

/** Two requests that say the same may be the first ones of two windows. */
const FEWEST_IN_OUTAGE = 3;

function deviationOf(kind: Kind, oneIn: number, during?: Stretch): Deviation {
  const parameters = { kinds: [kind], oneIn, which: 'any', ...(during && { during }) } as const;
  return { operator: 'sporadic-admission', parameters };
}

/** The world if these requests were let through unchecked. */
function unchecked(world: World, which: ReadonlySet<Event>): World {
  return changed(world, (history) =>
    withEvents(history, (event) => (which.has(event) ? { ...unclear(event), countedBy: event.to + LATE } : event)),
  );
}

/** The most events that follow each other and are all among these. */
function longestRun(events: readonly Event[], among: ReadonlySet<Event>): readonly Event[] {
  let longest: readonly Event[] = [];
  let run: Event[] = [];
  for (const event of events) {
    if (among.has(event)) run.push(event);
    else run = [];
    if (run.length > longest.length) longest = run;
  }
  return longest;
}
