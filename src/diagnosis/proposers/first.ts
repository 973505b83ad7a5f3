import { below, latestOf, upTo } from '../../oracle/ascending.ts';
import type { Event, History } from '../../oracle/history.ts';
import { slides } from '../../oracle/shapes.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { byWindow, changed, isDecided, leftOpen, timesOf, unclear, type World, withEvents } from '../world.ts';

/** Bits to state which of four faults the first request of a window has. */
const WHICH_BITS = 2;

/** Bits for what is not judged by the old count: whether these requests were counted, and what their answers say. */
const UNJUDGED_BITS = 6;

/** Windows whose first request is not counted, or is decided by the count of the window before. */
export function* proposeFirsts(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const least = new Set(world.histories.flatMap((history) => firstsOf(history, 'least', world.window)));
  const most = new Set(world.histories.flatMap((history) => firstsOf(history, 'most', world.window)));
  const bits = DEVIATION_BITS + WHICH_BITS;
  const free = (events: ReadonlySet<Event>): World =>
    changed(world, (history) =>
      withEvents(history, (event) => {
        if (!events.has(event)) return event;
        return event.outcome === 'failed' ? unclear(event) : { ...event, outcome: 'uncounted' };
      }),
    );
  yield {
    deviations: [{ operator: 'free-first-request', parameters: { kinds: [kind] } }],
    bits,
    world: free(most),
  };
  const unused = world.histories.flatMap((history) => unusedOf(history, world.window));
  const many = Math.max(0, ...unused.map((window) => window.filter(({ outcome }) => outcome === 'accepted').length));
  if (many > 1)
    yield {
      deviations: [{ operator: 'free-first-request', parameters: { kinds: [kind], many } }],
      bits: bits + bitsOfNumber(many - 1),
      world: free(new Set(unused.flat())),
    };
  const afterLeft = world.histories.map((history) => firstsAfterLeft(history, world.window));
  for (const [shapes, firsts] of [
    [world.shapes.filter((shape) => !slides(shape)), least],
    [world.shapes.filter(slides), afterLeft.includes(null) ? null : new Set(afterLeft.flatMap((each) => each ?? []))],
  ] as const) {
    if (firsts === null) continue;
    yield {
      deviations: [{ operator: 'carried-over', parameters: { kinds: [kind], what: 'old count' } }],
      bits: bits + UNJUDGED_BITS,
      // It may have been counted or not, and its headers belong to the window before.
      world: {
        ...leftOpen(world, (event) => firsts.has(event)),
        shapes,
      },
    };
  }
}

/** The requests of each window of a budget that leave all of the limit. A failed one may be counted or not. */
function unusedOf({ events, unit, shown }: History, length: number): readonly (readonly Event[])[] {
  const passed = events.filter(
    ({ outcome, reset }) => (outcome === 'accepted' || outcome === 'failed') && reset !== null,
  );
  const windows = byWindow(passed, length, unit) ?? [];
  return windows.map((window) => window.filter(({ remaining }) => remaining === shown));
}

/**
 * The first request of each window of a budget except the first window, as the markers show them: the one with the
 * least or the most left.
 */
function firstsOf({ events, unit }: History, by: 'least' | 'most', length: number): readonly Event[] {
  const windows =
    byWindow(
      events.filter((event) => isDecided(event) && event.reset !== null),
      length,
      unit,
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

/**
 * The requests before which some may have left a sliding window since the request before: that one may have thrown out
 * too few. Null if one of them tells of more than were counted then, or of fewer than certainly are now.
 */
function firstsAfterLeft({ events, limit, shown }: History, length: number): readonly Event[] | null {
  const all = timesOf(events);
  const counted = timesOf(events.filter(({ outcome }) => outcome !== 'refused'));
  const accepted = timesOf(events.filter(({ outcome }) => outcome === 'accepted'));
  const latest = latestOf([...events].sort((one, other) => one.to - other.to).map(({ from }) => from));
  const found: Event[] = [];
  for (const event of events) {
    const { from, to, outcome, remaining } = event;
    const before = latest[below(all.answered, from)] ?? Number.NEGATIVE_INFINITY;
    if (!Number.isFinite(before) || upTo(all.sent, to - length) === below(all.answered, before - length)) continue;
    const most = upTo(counted.sent, to) - below(counted.answered, before - length);
    const least = below(accepted.answered, from) - upTo(accepted.sent, to - length);
    if (outcome === 'refused' && most < limit) return null;
    if (outcome === 'accepted' && remaining !== null) {
      const taken = shown - remaining;
      if (taken > most || taken < least) return null;
    }
    found.push(event);
  }
  return found;
}
