import type { Event, History } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { byWindow, changed, isDecided, unclear, type World, withEvents } from '../world.ts';

/** Bits to say which of four things is wrong about the first request of a window. */
const WHICH_BITS = 2;

/** Bits for what is not held against the old count: whether these requests were counted, and what they say. */
const UNJUDGED_BITS = 6;

/** Windows of which the first request is not counted, or is answered by the count of the window before. */
export function* proposeFirsts(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const least = new Set(world.histories.flatMap((history) => firstsOf(history, 'least', world.window)));
  const most = new Set(world.histories.flatMap((history) => firstsOf(history, 'most', world.window)));
  const bits = DEVIATION_BITS + WHICH_BITS;
  yield {
    deviations: [{ operator: 'free-first-request', parameters: { kinds: [kind] } }],
    bits,
    world: changed(world, (history) =>
      withEvents(history, (event) => (most.has(event) ? { ...event, outcome: 'uncounted' } : event)),
    ),
  };
  yield {
    deviations: [{ operator: 'carried-over', parameters: { kinds: [kind], what: 'old count' } }],
    bits: bits + UNJUDGED_BITS,
    // It may have been counted or not, and what it says is of the window before.
    world: changed(world, (history) => withEvents(history, (event) => (least.has(event) ? unclear(event) : event))),
  };
}

/** In each window but the first of a budget, as the markers tell them: the request that was decided first, by what it had left. */
function firstsOf({ events }: History, by: 'least' | 'most', length: number): readonly Event[] {
  const windows =
    byWindow(
      events.filter((event) => isDecided(event) && event.reset !== null),
      length,
    ) ?? [];
  return windows.slice(by === 'least' ? 1 : 0).flatMap((window) => {
    const ended = Math.min(...window.map(({ to }) => to));
    const candidates = window.filter(({ from }) => from <= ended);
    const left = ({ outcome, remaining }: Event): number => (outcome === 'refused' ? -1 : (remaining ?? 0));
    const better = (one: Event, other: Event): Event =>
      (by === 'least' ? left(other) < left(one) : left(other) > left(one)) ? other : one;
    const [first, ...others] = candidates;
    return first ? [others.reduce(better, first)] : [];
  });
}
