import type { Event, History } from '../../oracle/history.ts';
import type { Shape } from '../../oracle/shapes.ts';
import { together } from '../../oracle/together.ts';
import { byWindow, type World } from '../world.ts';
import { bitsOfRace, bitsOfRepeats, inAll, type Loss } from './losses.ts';

/** By how much Remaining dropped over requests that were under way at the same time, or over a single one. */
export interface Drop {
  /** The accepted ones among them. */
  readonly passed: readonly Event[];
  readonly by: number;
  /** How many others may have been counted. */
  readonly unclear: number;
  /** How many that were counted before may have been given back since. */
  readonly givenBack: number;
}

/**
 * How requests leave the count: all at the end of their window, as markers show it; each a minute later; or gradually.
 */
export type Leaving = 'with the window' | 'one by one' | 'by shares';

/** The drops of Remaining, for each group of mechanisms that remove requests from the count in the same way. */
export function* dropsOf(
  world: World,
): Iterable<{ readonly shapes: readonly Shape[]; readonly drops: readonly Drop[] }> {
  for (const { leaving, shapes } of shapesBy(world)) {
    const drops = world.histories.map((history) => dropsIn(history, leaving, world.window));
    if (!drops.includes(null)) yield { shapes, drops: drops.flatMap((each) => each ?? []) };
  }
}

/** The mechanisms of a world, by how requests leave the count. */
export function shapesBy({
  shapes,
}: World): readonly { readonly leaving: Leaving; readonly shapes: readonly Shape[] }[] {
  return (['with the window', 'one by one', 'by shares'] as const)
    .map((leaving) => ({ leaving, shapes: shapes.filter((shape) => leavingOf(shape) === leaving) }))
    .filter(({ shapes }) => shapes.length > 0);
}

/** The bits to state how many of a crowd were lost in a race, for each group of mechanisms; 0 if none was. */
export function* racesOf(
  dropped: ReturnType<typeof dropsOf>,
  crowded: ReadonlySet<Event>,
): Iterable<{ readonly shapes: readonly Shape[]; readonly race: number }> {
  for (const { shapes, drops } of dropped) {
    const losses = drops.filter(({ passed }) => passed.some((event) => crowded.has(event))).map(lostBy);
    yield { shapes, race: inAll(losses).lost === 0 ? 0 : bitsOfRace(losses) + bitsOfRepeats(losses) };
  }
}

/** A request that others do not see for so long (µs) after its answer, and that one of them may overwrite. */
export function overwritten(event: Event, lag: number): Event {
  return { ...event, countedBy: event.to + lag, outcome: 'doubtful' };
}

/** A lower bound on how many accepted requests were not counted. */
export function lostBy({ passed, by, givenBack }: Drop): Loss {
  return { lost: Math.max(0, passed.length - by - givenBack), of: passed.length };
}

/** A lower bound on how many of the requests that were or may have been counted cost one more. */
export function gainedBy({ passed, by, unclear }: Drop): Loss {
  const of = passed.length + unclear;
  return { lost: Math.max(0, by - of), of };
}

function leavingOf({ mechanism }: Shape): Leaving {
  if (mechanism === 'log') return 'one by one';
  return mechanism.startsWith('counter') ? 'by shares' : 'with the window';
}

/**
 * The drops in order of time. If requests leave the count gradually, drops over which some have left are skipped. Null
 * if more came back than can have left.
 */
function dropsIn(history: History, leaving: Leaving, window: number): readonly Drop[] | null {
  const windows = leaving === 'with the window' ? (windowsOf(history, window) ?? [history.events]) : [history.events];
  const drops = windows.map((events) => dropsWithin(events, history.shown, leaving, window));
  return drops.includes(null) ? null : drops.flatMap((each) => each ?? []);
}

/**
 * The events of each window, as the markers show them. An event without a marker belongs to the window of the next one
 * with a marker: if it was counted in an earlier one, nothing after it tells. Null if the markers show no windows.
 */
function windowsOf({ events, unit }: History, length: number): readonly (readonly Event[])[] | null {
  const told = byWindow(events, length, unit);
  if (!told || told.length === 0) return null;
  const of = new Map(told.flatMap((window, at) => window.map((event) => [event, at] as const)));
  let next = told.length - 1;
  const windows = events.toReversed().map((event) => {
    next = of.get(event) ?? next;
    return next;
  });
  windows.reverse();
  return [...Map.groupBy(events, (_, at) => windows[at]).values()];
}

/** By how much a share may be rounded, before and after together. */
const ROUNDING = 2;

function dropsWithin(
  events: readonly Event[],
  shown: number,
  leaving: Leaving,
  window: number,
): readonly Drop[] | null {
  const drops: Drop[] = [];
  const counted: { readonly at: number; readonly by: number }[] = [];
  let left = shown;
  let since = Number.NEGATIVE_INFINITY;
  let silent: readonly Event[] = [];
  let givenBack = 0;
  for (const each of together(events)) {
    // Requests whose answers show no Remaining are part of the next drop that does.
    const crowd = [...silent, ...each];
    silent = crowd;
    const told = crowd.flatMap(({ outcome, remaining }) =>
      outcome === 'refused' ? [remaining ?? 0] : (remaining ?? []),
    );
    const passed = crowd.filter(({ outcome }) => outcome === 'accepted');
    const unclear = crowd.filter(({ outcome }) => outcome === 'failed' || outcome === 'unclear').length;
    const [first] = crowd;
    if (!first || told.length === 0) continue;
    silent = [];
    const least = told.reduce((one, other) => Math.min(one, other));
    const at = first.from;
    const ended = crowd.reduce((latest, { to }) => Math.max(latest, to), at);
    if (leaving === 'by shares' && least > left + Math.ceil((shown * (ended - since)) / window) + ROUNDING) return null;
    while (leaving === 'one by one' && counted[0] && counted[0].at <= at - window) left += counted.shift()?.by ?? 0;
    const by = Math.max(0, Math.min(left, shown) - least);
    if (leaving !== 'by shares' || least <= left) drops.push({ passed, by, unclear, givenBack });
    counted.push({ at, by });
    left = least;
    givenBack = unclear;
    since = at;
  }
  return drops;
}
