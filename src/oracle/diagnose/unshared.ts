import { ALL_LAYERS } from '../check.ts';
import { explains } from '../explain.ts';
import type { Event, History } from '../history.ts';
import { type Choice, SHAPES, variantOf } from '../shapes.ts';
import { groupsOf, type Moment, type Moments, momentsOf } from './moments.ts';

/** More counters than these are not told apart: with as many, hardly two requests in a row are on one. */
const MOST_COUNTERS = 8;

/** So often Remaining has to be higher than it just was, with no two requests at once and within one window. */
const FEWEST_RISES = 3;

/** Only accepted and refused requests are looked at, so that there is nothing to settle of failed ones. */
const ANY_WAY: Choice = { failedCounted: new Set(), undecided: new Set() };

/** Longer histories are named by how they begin: each counter's part is held against every mechanism. */
const MOST_EVENTS = 2_000;

/** The requests that one counter seems to have counted. */
interface Series {
  readonly events: Event[];
  left: number;
  reset: number | null;
  /** Requests that came by themselves, when no other was under way. */
  alone: number;
}

/**
 * How many counters with the whole limit each take turns at a budget: every Remaining goes on from one of so many series, each of
 * which some admissible mechanism explains, and requests that come one by one jump between them. Null where it is not so: requests
 * that are counted wrongly when they arrive at once have a single series before and after.
 */
export function countersOf(history: History): number | null {
  const groups = groupsOf(momentsOf({ ...history, events: history.events.slice(0, MOST_EVENTS) }));
  const found: Series[] = [];
  let rises = 0;
  let maybe = 0;
  let before: Series | null = null;
  for (const group of groups) {
    maybe += group.maybe;
    for (const moment of inOrder(group)) {
      const series = seriesOf(moment, found, history, maybe);
      if (!series) return null;
      const rose = before !== null && before !== series && series.left > before.left + 1;
      if (rose && before?.reset === series.reset && group.all.length === 1) rises++;
      if (group.all.length === 1) series.alone++;
      before = group.all.length === 1 ? series : null;
      take(series, moment);
    }
  }
  if (found.length < 2 || rises < FEWEST_RISES || found.some(({ alone }) => alone < 2)) return null;
  const unclear = groups.flatMap(({ all }) => all.flatMap(({ event, fate }) => (fate === 'maybe' ? [event] : [])));
  const explained = found.every(({ events }) => {
    const own = [...events, ...unclear.map(undecided)].sort((one, other) => one.from - other.from);
    const part = { ...history, events: own };
    return SHAPES.some((shape) => explains(variantOf(shape, ANY_WAY), part, ALL_LAYERS) !== null);
  });
  return explained ? found.length : null;
}

/** A request that any of the counters may have counted. */
function undecided(event: Event): Event {
  return { ...event, outcome: 'unclear', group: '', remaining: null, reset: null };
}

/** Those with the most left first: so the series go on whichever of requests that came at once was decided first. */
function inOrder({ accepted, refused }: Moments): readonly Moment[] {
  return [...[...accepted].sort((one, other) => (other.event.remaining ?? 0) - (one.event.remaining ?? 0)), ...refused];
}

/** @param maybe how many requests may have been counted that none of the series has */
function seriesOf({ event, fate }: Moment, found: Series[], { limit, unit }: History, maybe: number): Series | null {
  const { remaining, reset } = event;
  const left = fate === 'refused' ? -1 : remaining;
  if (left === null) return null;
  const near = (series: Series) => Math.abs((reset ?? 0) - (series.reset ?? reset ?? 0)) <= (unit ?? 0) + 5_000;
  const due = (series: Series) => Math.max(0, series.left) - (fate === 'refused' ? 0 : 1);
  const shown = Math.max(0, left);
  const exact = found.filter((series) => due(series) === shown);
  const next = exact.find(near) ?? (fate === 'refused' ? exact[0] : undefined);
  if (next) return next;
  if (left === limit - 1) {
    const over = found.find((series) => !near(series));
    if (over) return over;
    const opened: Series = { events: [], left: limit, reset, alone: 0 };
    if (found.length < MOST_COUNTERS) found.push(opened);
    return found.includes(opened) ? opened : null;
  }
  const skipping = found.filter((series) => near(series) && due(series) > shown && due(series) - shown <= maybe);
  return skipping.reduce<Series | null>((one, other) => (one && due(one) <= due(other) ? one : other), null);
}

function take(series: Series, { event, fate }: Moment): void {
  series.events.push(event);
  series.left = fate === 'refused' ? 0 : (event.remaining ?? 0);
  series.reset = event.reset ?? series.reset;
}
