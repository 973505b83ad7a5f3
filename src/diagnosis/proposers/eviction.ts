import { below, latestOf, numbersOf, upTo } from '../../oracle/ascending.ts';
import type { Event, History } from '../../oracle/history.ts';
import { together } from '../../oracle/together.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, inOrder, isDecided, unclear, type World } from '../world.ts';
import { freshStarts, isBeforeEnd } from './split.ts';
import { decidedIn, LEAST_DECIDED } from './trigger.ts';

/** Bits to state what has a counter: a kind of a key, a key, or a key in a store of this kind. */
const ENTRY_BITS = Math.log2(3);

/** A store with room for more counters than this is too small only for runs that use as many keys. */
const MOST_KEPT = 64;

/**
 * A store that keeps a number of counters, and drops the one that was used the longest ago. A budget begins anew where
 * as many others were used since its last request (the stack distance of Mattson et al., 1970). Where it is open how
 * many were, because requests were under way at once, the answers tell.
 */
export function* proposeEvictions(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  const starts = new Set(
    world.histories.flatMap((history) => {
      const fresh = new Set(freshStarts(history, world.window));
      return history.events.filter(({ from }) => fresh.has(from));
    }),
  );
  const lost = world.histories.flatMap((history) =>
    history.events.filter((event) => starts.has(event) && isBeforeEnd(history, event.from)),
  );
  if (lost.length < 2) return;
  const both = [...world.histories, ...otherKind];
  for (const [among, nameOf, store] of [
    [both, ({ key, kind: own }: History) => `${key} ${own}`, { store: 'of both kinds' }],
    [both, ({ key }: History) => key, { store: 'of keys' }],
    [world.histories, ({ key }: History) => key, {}],
  ] as const) {
    const entries = new Set(among.map(nameOf)).size;
    if (entries > MOST_KEPT) continue;
    const others = distancesOf(among, nameOf);
    const bound = lost.reduce((least, event) => Math.min(least, others.get(event)?.most ?? 0), entries - 1);
    for (let kept = bound; kept > 0; kept--) {
      const under = changed(world, (history) => livesOf(history, kept, others, starts));
      if (decidedIn(under.histories) < LEAST_DECIDED * decidedIn(world.histories)) continue;
      yield {
        deviations: [{ operator: 'counters-lost', parameters: { kinds: [kind], kept, ...store } }],
        bits: DEVIATION_BITS + ENTRY_BITS + Math.log2(entries),
        world: under,
      };
    }
  }
}

/**
 * The history in parts, each from where its counter was made anew. Of requests that were under way at once with too
 * many others, it is open which are counted together: they and those before them may count for those after them.
 */
function livesOf(
  history: History,
  kept: number,
  others: ReadonlyMap<Event, Distance>,
  starts: ReadonlySet<Event>,
): readonly History[] {
  const lives: Event[][] = [];
  for (const group of together(history.events)) {
    const [first] = group;
    const isLost = first !== undefined && (others.get(first)?.least ?? 0) >= kept;
    const mayBe = group.some((event) => (others.get(event)?.most ?? 0) >= kept);
    const isClear = group.length === 1 && first !== undefined && isDecided(first);
    const life = lives.at(-1);
    if (!life || (group.length === 1 && isLost) || (isClear && mayBe && starts.has(first))) lives.push([...group]);
    else if (!mayBe || isClear) life.push(...group);
    else lives.push([...life, ...group].map(unclear));
  }
  return lives.map((events) => ({ ...history, events }));
}

/** How many others were used at least, and at most, between a request and the last one before it of the same. */
interface Distance {
  readonly least: number;
  readonly most: number;
}

function distancesOf(
  histories: readonly History[],
  nameOf: (history: History) => string,
): ReadonlyMap<Event, Distance> {
  const uses = [...Map.groupBy(histories, nameOf).values()].map((own) => usesOf(own.flatMap(({ events }) => events)));
  return new Map(
    uses.flatMap((own) => {
      const others = uses.filter((each) => each !== own);
      return own.events.map((event, at) => {
        const last = own.lastEnd(at);
        const sure = own.latestStart(event.from);
        const isBetween = (each: Uses): boolean => each.latestStart(event.from) > last;
        const mayBe = (each: Uses): boolean => each.latestEnd(event.to) >= sure;
        return [event, { least: others.filter(isBetween).length, most: others.filter(mayBe).length }];
      });
    }),
  );
}

/** The requests that use one counter, and questions about these. Times are µs. */
interface Uses {
  readonly events: readonly Event[];
  /** The latest start of those that had ended before a time; −∞ if there are none. */
  latestStart(time: number): number;
  /** The latest end of those that had begun by a time; −∞ if there are none. */
  latestEnd(time: number): number;
  /** The latest end of those before one; ∞ if another one was under way with it. */
  lastEnd(at: number): number;
}

function usesOf(all: readonly Event[]): Uses {
  const events = inOrder(all);
  const ended = [...events].sort((one, other) => one.to - other.to);
  const begins = numbersOf(events, ({ from }) => from);
  const ends = numbersOf(ended, ({ to }) => to);
  const starts = latestOf(ended.map(({ from }) => from));
  const stops = latestOf(events.map(({ to }) => to));
  return {
    events,
    latestStart: (time) => starts[below(ends, time)] ?? 0,
    latestEnd: (time) => stops[upTo(begins, time)] ?? 0,
    lastEnd(at) {
      const isAlone = (events[at + 1]?.from ?? Number.POSITIVE_INFINITY) > (events[at]?.to ?? 0);
      return isAlone ? (stops[at] ?? 0) : Number.POSITIVE_INFINITY;
    },
  };
}
