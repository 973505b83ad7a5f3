import type { Deviation } from '../../deployment/operators.ts';
import { type Event, type History, likelyOffset } from '../../oracle/history.ts';
import type { Kind } from '../../trace/exchange.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, unclear, type World, withEvents } from '../world.ts';
import { dropsOf, overwritten, racesOf } from './drops.ts';
import { beforeItself, isToldBeforeItself, type Lateness, LONGEST_LAG, LONGEST_SYNC, latenessOf } from './lateness.ts';
import { bitsOfUnseen, inAll } from './losses.ts';
import { neverSeen } from './never-seen.ts';
import { bitsOfHaste, bitsOfOvershoot, bitsOfRestraint, crowdsIn, lostIn } from './overshoot.ts';

/** Bits to state how long after its answer a request is missing from the count: one of 128 lengths. */
export const LAG_BITS = 7;

/** Requests that do not see each other only while they are under way, in µs. */
const AT_ONCE: Lateness = { lag: 0, most: 0, losses: [], catchesUp: true };

/**
 * Few requests show the longest time: where the clock ticks in whole seconds, it was more than twice as long as any
 * that they showed.
 */
const MUCH_LONGER = 2.5;

/**
 * Simultaneous or nearly simultaneous requests that do not see each other's count. Either all are counted in the end,
 * or some are lost, because one overwrites the count of another. Everything else conforms.
 */
export function* proposeCrowds(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (!world.histories.some(isToldBeforeItself)) return yield* racesIn(world, kind, [AT_ONCE, ...latenessesOf(world)]);
  yield* racesIn(world, kind, [AT_ONCE]);
  // An answer that is given before its request is counted tells what was left before it.
  const told = beforeItself(world, COUNTED);
  yield* racesIn(told, kind, latenessesOf(told));
}

/** What may have been counted, unless it was refused. */
const COUNTED: ReadonlySet<Event['outcome']> = new Set(['accepted', 'failed']);

function* racesIn(world: World, kind: Kind, latenesses: readonly Lateness[]): Iterable<Proposal> {
  const { window } = world;
  const overshoot = world.histories.reduce(
    (sum, each) => sum + bitsOfOvershoot(each, window) + bitsOfRestraint(each, window),
    0,
  );
  const dropped = [...dropsOf(world)];
  for (const late of latenesses) {
    const { lag, most } = late;
    // In so long a time, requests that were never counted are late, too.
    const isLast = most > LONGEST_LAG;
    // Failed requests, if they are counted, are counted as late.
    const counted = new Set(world.histories.flatMap(({ events }) => besideOthersIn(events, most)));
    const crowded = new Set([...counted].filter(({ outcome }) => outcome === 'accepted'));
    if (crowded.size === 0) continue;
    const losses = world.histories.flatMap(({ events, unit }) =>
      crowdsIn(events, crowded).map((crowd) => lostIn(crowd, window, unit)),
    );
    const { lost } = inAll(losses);
    const deviations = [isLast && !late.catchesUp ? neverSeen(world, kind) : deviationOf(lag, kind)];
    const haste = lag === 0 ? 0 : world.histories.reduce((sum, each) => sum + bitsOfHaste(each, window, lag), 0);
    const bits = DEVIATION_BITS + haste + (lag === 0 ? 0 : LAG_BITS);
    const unseen = lag > 0 ? bitsOfUnseen(late.losses) : lost === 0 ? 0 : bitsOfUnseen(losses);
    const racing = (change: (event: Event) => Event): World =>
      changed(world, (history) => ({
        ...withEvents(history, (event) => {
          const late = counted.has(event) ? change(event) : event;
          return isByOldCount(event, history, window, most) ? untoldBy(late) : late;
        }),
        racing: true,
      }));
    yield {
      deviations,
      isLast,
      // Requests that were not seen at first were counted in the end, and let more through.
      bits: bits + Math.max(overshoot, unseen),
      world: racing((event) => ({ ...event, countedBy: event.to + most })),
    };
    // If none was missing from their Remaining while something was left, they were counted one by one.
    if (lost === 0 && [...crowded].some(({ remaining }) => remaining !== null)) continue;
    for (const { shapes, race } of racesOf(dropped, crowded)) {
      yield {
        deviations,
        isLast,
        // Lost requests let further ones through.
        bits: bits + Math.max(overshoot, lag > 0 ? unseen : 0, race),
        world: { ...racing((event) => overwritten(event, most)), shapes },
      };
    }
  }
}

/** How late requests may have been counted: shortest first. */
function latenessesOf({ histories, window }: World): readonly Lateness[] {
  const late = latenessOf(histories, window);
  const longer = late ? [{ ...late, most: Math.min(LONGEST_LAG, MUCH_LONGER * late.lag) }] : [];
  const synced = latenessOf(histories, window, LONGEST_SYNC);
  return [
    ...(late ? [late] : []),
    ...longer.filter(({ most }) => most > (late?.most ?? 0)),
    ...(synced && synced.most > LONGEST_LAG ? [synced] : []),
  ];
}

/**
 * Whether the window of a request had begun so short a time before that the count of the one before may have decided on
 * it.
 */
function isByOldCount({ from, reset }: Event, { offset }: History, window: number, lag: number): boolean {
  return lag > 0 && reset !== null && from <= reset - likelyOffset(offset) - window + lag;
}

/** What an old count said: a request that it refused may have been counted. */
function untoldBy(event: Event): Event {
  return event.outcome === 'refused' ? unclear(event) : { ...event, remaining: null };
}

export function deviationOf(lag: number, kind: Kind): Deviation {
  return lag === 0
    ? { operator: 'lost-updates', parameters: { kinds: [kind], gap: 0, when: 'always' } }
    : { operator: 'late-counting', parameters: { kinds: [kind], lag, answered: 'when decided' } };
}

/**
 * Accepted requests that were under way at the same time as another, or less than `lag` after or before it. Failed
 * requests may have been counted, too.
 */
export function crowdedIn(events: readonly Event[], lag: number): readonly Event[] {
  return besideOthersIn(events, lag).filter(({ outcome }) => outcome === 'accepted');
}

/** The same with the failed ones. */
function besideOthersIn(events: readonly Event[], lag: number): readonly Event[] {
  const counted = events.filter(({ outcome }) => outcome === 'accepted' || outcome === 'failed');
  let latest = Number.NEGATIVE_INFINITY;
  return counted.filter((event, index) => {
    const next = counted[index + 1];
    const isBeside = event.from <= latest + lag || (next !== undefined && next.from <= event.to + lag);
    latest = Math.max(latest, event.to);
    return isBeside;
  });
}
