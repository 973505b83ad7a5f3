import { anyCounting, groupsOf } from '../../oracle/failed-groups.ts';
import { firstContradiction } from '../../oracle/first-contradiction.ts';
import type { Event, History } from '../../oracle/history.ts';
import { phaseByMarkers } from '../../oracle/marker-phase.ts';
import { variantOf } from '../../oracle/shapes.ts';
import { together } from '../../oracle/together.ts';
import type { Kind } from '../../trace/exchange.ts';
import {
  bitsOfNumber,
  bitsToChoose,
  DEVIATION_BITS,
  MOMENT_BITS,
  NEVER_BITS,
  type Proposal,
  type SearchContext,
} from '../proposal.ts';
import { changed, unclear, upToEnd, type World } from '../world.ts';

/**
 * Pauses to try, in µs: between two of them lie few of the pauses of a run. The longest that explains it ends windows
 * for certain.
 */
const PAUSES = [30, 20, 15, 12, 10, 8, 5, 3].map((seconds) => seconds * 1_000_000);

/** The number of mechanisms, of those that explain most budgets, that show where the counts of a budget were lost. */
const MOST_SHAPES = 3;

/** Bits to state which pause. */
const PAUSE_BITS = 3;

/**
 * Bits for a restart during the run: one run in eight at the most meets one, even of a deployment that is restarted
 * every quarter of an hour.
 */
const RESTART_BITS = 3;

/** Counts that are lost: after a pause of a budget, or once for all budgets. */
export function* proposeLostCounts(world: World, { kind, otherKind, likely, work }: SearchContext): Iterable<Proposal> {
  // If nothing is ever refused, no limit at all is the plainer explanation.
  const never = world.histories.some(({ events }) => events.some(({ outcome }) => outcome === 'refused'))
    ? 0
    : NEVER_BITS;
  for (const pause of PAUSES) {
    const split = changed(world, (history) => parts(history, (event, before) => event.from - before.to > pause));
    if (split.histories.length === world.histories.length) continue;
    yield {
      deviations: [
        {
          operator: 'moved-end',
          parameters: { kinds: [kind], trigger: 'idle', to: { after: 0 }, idle: pause, told: false },
        },
      ],
      bits: DEVIATION_BITS + PAUSE_BITS + never,
      world: split,
    };
  }
  // A restart loses the counts of both kinds, and one of them may show it better.
  const moments = new Set([...world.histories, ...otherKind].flatMap((history) => freshStarts(history, world.window)));
  for (const shape of likely.slice(0, MOST_SHAPES)) {
    for (const history of world.histories) {
      const groups = groupsOf([history]);
      const choice = anyCounting(groups);
      const phase = phaseByMarkers(history, world.window);
      const variant = variantOf(shape, choice);
      const found = firstContradiction(variant, history, phase, world, work);
      if (found?.event?.outcome === 'accepted') moments.add(found.event.from);
    }
  }
  yield* lostAgain(world, kind, never);
  for (const at of moments) {
    yield {
      deviations: [{ operator: 'counters-lost', parameters: { kinds: [kind], at } }],
      bits: DEVIATION_BITS + RESTART_BITS + MOMENT_BITS + never,
      world: changed(world, (history) => [
        { ...history, events: upToEnd(history.events, at) },
        { ...history, events: fromStart(history.events, at) },
      ]),
    };
  }
}

/**
 * Counts that are lost several times, of some budgets or of all: each budget begins anew wherever the whole of it is
 * left before its window has ended.
 */
function* lostAgain(world: World, kind: Kind, bits: number): Iterable<Proposal> {
  const starts = new Map(
    world.histories.map((history) => [
      history,
      new Set([...freshStarts(history, world.window), ...earlyMarkers(history)]),
    ]),
  );
  const early = world.histories.flatMap((history) => {
    return [...(starts.get(history) ?? [])].filter((at) => isBeforeEnd(history, at));
  });
  if (early.length < 2) return;
  const accepted = world.histories.flatMap(({ events }) => events.filter(({ outcome }) => outcome === 'accepted'));
  // A store drops what is not in use, so that counts are often lost in a pause, of which there are few.
  const rested = new Set(world.histories.flatMap(({ events }) => afterPauses(events)));
  const inPauses = early.every((at) => rested.has(at))
    ? bitsToChoose(rested.size, early.length)
    : Number.POSITIVE_INFINITY;
  const when = 1 + Math.min(inPauses, bitsToChoose(accepted.length, early.length));
  yield {
    deviations: [
      {
        operator: 'counters-lost',
        parameters: { kinds: [kind], at: Math.min(...early), again: fewestLosses(world, new Set(early)) - 1 },
      },
    ],
    bits: DEVIATION_BITS + bitsOfNumber(early.length) + when + bits,
    // The longest tells where windows begin, and the others are asked whether theirs do so, too.
    world: {
      ...world,
      histories: world.histories
        .flatMap((history) => parts(history, ({ from }) => starts.get(history)?.has(from) === true))
        .sort((one, other) => other.events.length - one.events.length),
    },
  };
}

/** How many times suffice at which counts were lost: of each budget between the last request before these and them. */
function fewestLosses({ histories }: World, early: ReadonlySet<number>): number {
  const gaps = histories.flatMap(({ events }) =>
    events.flatMap(({ from }, at) => {
      const before = events[at - 1];
      return early.has(from) && before && before.from < from ? [{ since: Math.min(before.to, from), until: from }] : [];
    }),
  );
  // The fewest points that meet all gaps: the end of the first one, then that of the first which it does not meet.
  let [losses, last] = [0, Number.NEGATIVE_INFINITY];
  for (const { since, until } of gaps.sort((one, other) => one.until - other.until)) {
    if (since <= last) continue;
    losses += 1;
    last = until;
  }
  return Math.max(1, losses);
}

/** When accepted requests were sent that came after a pause of their budget. */
function afterPauses(events: readonly Event[]): readonly number[] {
  const least = Math.min(...PAUSES);
  let answered: number | null = null;
  return events.flatMap(({ from, to, outcome }) => {
    const isLate = answered !== null && from - answered > least;
    answered = Math.max(to, answered ?? to);
    return isLate && outcome === 'accepted' ? [from] : [];
  });
}

/** When a later marker took the place of one whose window had not ended: from the first request after that. */
function earlyMarkers(history: History): readonly number[] {
  const { events, unit } = history;
  let last = -1;
  return events.flatMap((event, at) => {
    if (event.reset === null || event.outcome === 'unclear') return [];
    const before = events[last];
    const start = events[last + 1];
    last = at;
    const isLater = before && start && (before.reset ?? 0) + 2 * (unit ?? 0) < event.reset;
    return isLater && isBeforeEnd(history, start.from) ? [start.from] : [];
  });
}

/** Whether the window of the answer before this time had not ended by then, as its marker tells. */
export function isBeforeEnd({ events, offset, unit }: History, at: number): boolean {
  const before = events.findLast(({ from, reset, outcome }) => from < at && reset !== null && outcome !== 'unclear');
  return before?.reset !== null && before !== undefined && before.reset - (unit ?? 0) - offset.high > at;
}

/** The events from a time on before which nothing counts. A request under way then may have been counted before. */
function fromStart(events: readonly Event[], start: number): readonly Event[] {
  return events.flatMap((event) => {
    if (event.from >= start) return [event];
    return event.to < start ? [] : [{ ...unclear(event), from: start }];
  });
}

/**
 * When a whole budget was left again, although some of it had been spent within the last window: at the first of the
 * requests that were under way together then.
 */
export function freshStarts({ events, limit }: History, window: number): readonly number[] {
  const groups = together(events);
  return groups.flatMap((group, at) => {
    const [first] = group;
    const before = groups[at - 1]?.at(-1);
    const isWhole = group.some(({ outcome, remaining }) => outcome !== 'refused' && remaining === limit - 1);
    return first && before && isWhole && before.to > first.from - window ? [first.from] : [];
  });
}

/** The history in parts. `begins` decides where each begins. */
function parts(history: History, begins: (event: Event, before: Event) => boolean): readonly History[] {
  const found: Event[][] = [];
  for (const event of history.events) {
    const before = found.at(-1)?.at(-1);
    if (!before || begins(event, before)) found.push([event]);
    else found.at(-1)?.push(event);
  }
  return found.map((events) => ({ ...history, events }));
}
