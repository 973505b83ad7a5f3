import { type Event, type History, REFUND_DELAY } from '../../oracle/history.ts';
import { together } from '../../oracle/together.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { byWindow, changed, unclear, type World, withEvents } from '../world.ts';
import { isServed } from './admission.ts';
import { bitsOfRace, inAll, lossIn } from './losses.ts';

/**
 * µs after its answer within which a request that was let through unchecked is still counted: as long as a refund may
 * take.
 */
const LATE = REFUND_DELAY;

/**
 * Requests that are let through now and then without a decision of the limiter: their answers say that nothing, or only
 * this request, was used, again and again in a window. They may be counted when the limiter comes to them.
 */
export function* proposeUnchecked(world: World, { kind }: SearchContext): Iterable<Proposal> {
  for (const used of [0, 1]) {
    const isUnchecked = (event: Event, { shown }: History): boolean =>
      isServed(event) && event.remaining === shown - used;
    const found = world.histories.map((history) => history.events.filter((event) => isUnchecked(event, history)));
    const count = found.flat().length;
    // The first request of each window says rightly that only it was used.
    const isRight = world.histories.every(({ unit }, at) => {
      const own = found[at] ?? [];
      return (byWindow(own, world.window, unit) ?? [own]).every(({ length }) => length <= used);
    });
    if (isRight) continue;
    const unchecked = new Set(found.flat());
    const groups = world.histories.flatMap(({ events }) => together(events.filter(isServed)));
    const losses = groups.map((group) => lossIn(group, (event) => unchecked.has(event)));
    const { of } = inAll(losses);
    yield {
      deviations: [
        {
          operator: 'sporadic-admission',
          parameters: { kinds: [kind], oneIn: Math.max(2, Math.round(of / count)), which: 'any' },
        },
      ],
      bits: DEVIATION_BITS + 1 + bitsOfRace(losses),
      world: changed(world, (history) =>
        withEvents(history, (event) =>
          unchecked.has(event) ? { ...unclear(event), countedBy: event.to + LATE } : event,
        ),
      ),
    };
  }
}
