import type { Event, History } from '../../oracle/history.ts';
import type { Shape } from '../../oracle/shapes.ts';
import { together } from '../../oracle/together.ts';
import { byWindow, type World } from '../world.ts';
import type { Loss } from './losses.ts';

/** By how much what was left dropped over requests that were under way together, or over one that was alone. */
export interface Drop {
  /** Those of them that were let through. */
  readonly passed: readonly Event[];
  readonly by: number;
  /** How many others there were that may have been counted. */
  readonly unclear: number;
}

/** How what was counted leaves the count: at the end of its window, as the markers tell it; each a minute later; or little by little. */
export type Leaving = 'with the window' | 'one by one' | 'by shares';

/** How what is left drops under those mechanisms of a world that let go of what they have counted in the same way. */
export function* dropsOf(
  world: World,
): Iterable<{ readonly shapes: readonly Shape[]; readonly drops: readonly Drop[] }> {
  for (const { leaving, shapes } of shapesBy(world)) {
    const drops = world.histories.map((history) => dropsIn(history, leaving, world.window));
    if (!drops.includes(null)) yield { shapes, drops: drops.flatMap((each) => each ?? []) };
  }
}

/** The mechanisms of a world by how they let go of what they have counted. */
export function shapesBy({
  shapes,
}: World): readonly { readonly leaving: Leaving; readonly shapes: readonly Shape[] }[] {
  return (['with the window', 'one by one', 'by shares'] as const)
    .map((leaving) => ({ leaving, shapes: shapes.filter((shape) => leavingOf(shape) === leaving) }))
    .filter(({ shapes }) => shapes.length > 0);
}

/** How many of those that passed were not counted, at the least. */
export function lostBy({ passed, by }: Drop): Loss {
  return { lost: Math.max(0, passed.length - by), of: passed.length };
}

/** How many of those that were counted, or may have been, cost one more than one, at the least. */
export function gainedBy({ passed, by, unclear }: Drop): Loss {
  const of = passed.length + unclear;
  return { lost: Math.max(0, by - of), of };
}

function leavingOf({ mechanism }: Shape): Leaving {
  if (mechanism === 'log') return 'one by one';
  return mechanism.startsWith('counter') ? 'by shares' : 'with the window';
}

/**
 * In order of time. Where what was counted leaves little by little, none is told where it shows that some has left; null where more is back than
 * can have left.
 */
function dropsIn(history: History, leaving: Leaving, window: number): readonly Drop[] | null {
  const windows = leaving === 'with the window' ? (windowsOf(history, window) ?? [history.events]) : [history.events];
  const drops = windows.map((events) => dropsWithin(events, history.shown, leaving, window));
  return drops.includes(null) ? null : drops.flatMap((each) => each ?? []);
}

/** The events of each window, as the markers tell them; what has none is of the window of what came before it. Null where they tell no windows. */
function windowsOf({ events }: History, length: number): readonly (readonly Event[])[] | null {
  const told = byWindow(events, length);
  if (!told || told.length === 0) return null;
  const of = new Map(told.flatMap((window, at) => window.map((event) => [event, at] as const)));
  let last = 0;
  return [
    ...Map.groupBy(events, (event) => {
      last = of.get(event) ?? last;
      return last;
    }).values(),
  ];
}

/** What a share may be rounded by, before and after. */
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
  for (const each of together(events)) {
    // What came with no answer that tells what was left shows in the next one that does.
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
    if (leaving !== 'by shares' || least <= left) drops.push({ passed, by, unclear });
    counted.push({ at, by });
    left = least;
    since = at;
  }
  return drops;
}
