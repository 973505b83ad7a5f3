import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { together } from '../../oracle/together.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, inOrder, type World } from '../world.ts';
import { arrivalRanks } from './arrivals.ts';
import { bitsOfLength, roundest } from './round.ts';
import { cheapestRouting, type Routed } from './routing.ts';

/** If clocks are synchronized, they differ by less than this, in µs. */
const SYNCHRONIZED = 1_000_000;

/** Nodes whose clocks are ahead, and the others. */
const CLOCKS = 2;

/**
 * Nodes whose clocks differ and that share the counters of windows on a grid: some requests are counted in a window, as
 * their markers show, that has not begun for later ones. They come first in it.
 */
export function* proposeClocks(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  const shapes = world.shapes.filter(({ mechanism }) => mechanism === 'grid');
  const both = [...world.histories, ...otherKind];
  // Both kinds usually have the same clocks, and each shows what the other one may not.
  const grids = gridsOf(both) ?? gridsOf(world.histories);
  if (shapes.length === 0 || !grids) return;
  const isTold = ({ reset }: Event): boolean => reset !== null;
  const told = world.histories.map(({ events }) => events.filter(isTold));
  const of = new Map(both.flatMap(({ events }, at) => events.map((event) => [event, grids[at]] as const)));
  const begins = (event: Event): number => of.get(event)?.(event) ?? Number.NEGATIVE_INFINITY;
  const lead = both
    .slice(0, grids.length)
    .flatMap(({ events }) => events.filter(isTold))
    .reduce((most, event) => Math.max(most, begins(event) - event.from), 0);
  if (lead <= SYNCHRONIZED || lead >= WINDOW / 2) return;
  // Only for these does it matter which node they reached.
  const isEarly = (event: Event): boolean => event.to < begins(event);
  const isLate = (event: Event): boolean => event.from > begins(event) + WINDOW - lead;
  const routed = told.map((events) =>
    together(events.filter((event) => isEarly(event) || isLate(event))).map((crowd) =>
      crowd.map((event): Routed => ({ event, node: Number(isEarly(event)), alike: 1 })),
    ),
  );
  const rule = cheapestRouting(routed, CLOCKS, arrivalRanks([world.histories, otherKind], isTold));
  const ahead = roundest({ low: lead, high: lead + SYNCHRONIZED });
  yield {
    deviations: [{ operator: 'clocks-apart', parameters: { kinds: [kind], ahead, routing: rule.routing } }],
    bits: DEVIATION_BITS + bitsOfLength(ahead) + rule.bits,
    world: {
      ...changed(world, ({ events, offset, ...history }) => ({
        ...history,
        // If the others are behind `Date`, their windows last longer than the markers say.
        offset: { ...offset, low: offset.low - lead },
        events: inOrder(events.map((event) => decidedBy(event, begins(event), lead))),
      })),
      shapes,
    },
  };
}

/**
 * A request as if it had come when its window had begun for all. If no marker shows its window, it may have been
 * counted in the next one.
 */
function decidedBy(event: Event, begin: number, lead: number): Event {
  const { from, to, reset } = event;
  if (reset !== null) return { ...event, from: Math.max(from, begin), to: Math.max(to, begin) };
  const next = begin + WINDOW;
  return to + lead < next ? event : { ...event, to: Math.max(to, next) };
}

/** The windows of a grid: the earliest time (µs) at which the window of an answer can have begun for all requests. */
type Grid = (event: Event) => number;

/** The grid of each history: one for all, or each its own; null if markers are not the ends of windows on a grid. */
function gridsOf(histories: readonly History[]): readonly Grid[] | null {
  const common = gridOf(histories);
  if (common) return histories.map(() => common);
  const own = histories.flatMap((history) => gridOf([history]) ?? []);
  return own.length === histories.length ? own : null;
}

/**
 * The grid whose windows end at the markers. A window has not begun for all requests before the last one that was
 * counted in an earlier window, nor before the marker of that one. Null if the markers are not the ends of windows on
 * one grid.
 */
function gridOf(histories: readonly History[]): Grid | null {
  const [first = 0] = histories.flatMap(({ events }) => events.flatMap(({ reset }) => reset ?? []));
  // A marker computed from the time left wobbles by as long as the answer takes.
  const wobble = histories.flatMap(({ events }) => events).reduce((most, { from, to }) => Math.max(most, to - from), 0);
  const numberOf = (reset: number): number => Math.round((reset - first) / WINDOW);
  let phase = Number.NEGATIVE_INFINITY;
  for (const { events, unit, offset } of histories) {
    for (const { outcome, from, reset } of events) {
      if (reset === null || (outcome !== 'accepted' && outcome !== 'refused')) continue;
      if (Math.abs(reset - first - numberOf(reset) * WINDOW) > (unit ?? 0) + Math.min(wobble, SYNCHRONIZED))
        return null;
      const ended = Math.max(from + 1, reset - (unit ?? 0) - offset.high);
      phase = Math.max(phase, ended - (numberOf(reset) + 1) * WINDOW);
    }
  }
  const indexOf = ({ from, reset }: Event): number =>
    reset === null ? Math.floor((from - phase) / WINDOW) : numberOf(reset);
  return (event) => (Number.isFinite(phase) ? phase + WINDOW * indexOf(event) : Number.NEGATIVE_INFINITY);
}
