import { ALL_LAYERS, type Contradiction } from '../oracle/check.ts';
import { explains } from '../oracle/explain.ts';
import { firstContradiction, SPECIFIED } from '../oracle/first-contradiction.ts';
import { type Event, type History, type Range, WINDOW } from '../oracle/history.ts';
import { phaseByMarkers } from '../oracle/marker-phase.ts';
import { type Choice, type Shape, slides, variantOf } from '../oracle/shapes.ts';
import type { Variant } from '../oracle/variant.ts';
import { unlessSpent, Work } from '../oracle/work.ts';
import { openerOf, requestsOfOthers } from './beside-others.ts';
import type { Episode } from './episode.ts';
import { inOrder, unclear } from './world.ts';

/** What is asked of one budget. */
interface Asked {
  readonly history: History;
  readonly shape: Shape;
  readonly choice: Choice;
  readonly isTooMany: (episodes: readonly Episode[]) => boolean;
  readonly work: Work;
}

/** How far a search for episodes has come. */
interface State {
  readonly episodes: readonly Episode[];
  /** The history with these. */
  readonly current: History;
  /** Without the last of them. */
  readonly before: History;
  /** The answer that showed the last of them. */
  readonly latest: Event | null;
}

/**
 * The episodes in one budget, in two ways; too many if these do not explain everything, null if nothing does.
 *
 * @returns `grown`: what an answer lacks may have come together with what an earlier one lacked, wherever this explains
 *   it; `apart`: it came by itself
 */
export function inOneBudget(asked: Asked): Record<'grown' | 'apart', readonly Episode[] | null> {
  const { history, work } = asked;
  const all = work.left;
  let parted: { readonly state: State; readonly spent: number } | null = null;
  const start: State = { episodes: [], current: history, before: history, latest: null };
  const grown = search(asked, start, (state) => {
    parted ??= { state, spent: all - work.left };
  });
  if (grown?.length === 0) return { grown, apart: grown };
  // Up to where the ways part, both are one search. It counts as work of both, so that what the bound leaves open does
  // not depend on this; unless so little is left that parts of the second search would have been cut short.
  const { state, spent }: { state: State | null; spent: number } = parted ?? { state: null, spent: all - work.left };
  if (work.left - spent < SOMEWHERE_WORK) return { grown, apart: search(asked, start, null) };
  work.spend(spent);
  return { grown, apart: state ? search(asked, state, null) : grown };
}

/** @param onParting hears where this way parts from the other; null: what an answer lacks came by itself */
function search(
  { history, shape, choice, isTooMany, work }: Asked,
  start: State,
  onParting: ((other: State) => void) | null,
): readonly Episode[] | null {
  const variant = variantOf(shape, choice);
  const episodes = [...start.episodes];
  const hint = phaseByMarkers(history);
  let { current, before, latest } = start;
  while (!isTooMany(episodes)) {
    if (explains(variant, current, ALL_LAYERS, WINDOW, hint, work)) return episodes;
    const contradiction = firstContradiction(variant, current, hint, SPECIFIED, work);
    if (!contradiction) {
      const isExplained = (some: History): boolean => isExplainedSoon(variant, some, hint, work);
      return withMore(episodes, current, shape, isExplained) ?? withSomewhere(episodes, current, isExplained);
    }
    const last = episodes.at(-1);
    const since: number = shape.mechanism.startsWith('counter')
      ? (latest?.to ?? Number.NEGATIVE_INFINITY)
      : contradiction.event
        ? lastTold(history, contradiction.event, shape)
        : 0;
    const shown = episodeBefore(contradiction, current, since, shape);
    if (!shown) return null;
    const added: Added = slides(shape) && last ? { ...shown, episode: { ...shown.episode, after: last.until } } : shown;
    const { requests } = added.episode;
    const isSame = last !== undefined && added.episode.event === latest;
    // The marker tells that what this answer lacks came earlier, when the one before did not show it.
    if (isSame && added.isTold && added.episode.since < last.since) {
      const earlier = { ...last, since: added.episode.since };
      episodes.splice(-1, 1, earlier);
      current = { ...before, events: inOrder([...before.events, ...asked(last.requests, earlier, shape)]) };
      continue;
    }
    // If more of an episode changes nothing, the cause is not missing requests.
    if (isSame && last.requests + requests > history.limit) return null;
    latest = added.episode.event;
    const withOne = { ...current, events: inOrder([...current.events, ...added.events]) };
    if (last && !isSame) {
      onParting?.({ episodes: [...episodes, added.episode], current: withOne, before: current, latest });
    }
    const together = last &&
      (onParting || isSame) && { ...current, events: inOrder([...current.events, ...asked(requests, last, shape)]) };
    const next = together && !isSame ? firstContradiction(variant, together, hint, SPECIFIED, work) : null;
    if (last && together && (!next || (next.event !== null && next.event.from > latest.from))) {
      // The episode before was larger than its own answer showed.
      episodes.splice(-1, 1, { ...last, requests: last.requests + requests });
      current = together;
    } else {
      episodes.push(added.episode);
      before = current;
      current = withOne;
    }
  }
  return episodes;
}

/**
 * Numbers of requests to try if no answer shows when they came, and the bound of work for each, in events: few suffice
 * if they explain it.
 */
const SOMEWHERE = [1, 3, 10, 30, 60];
const SOMEWHERE_WORK = 200_000;

/** Whether a model explains a history; false if the bound of work leaves it open. */
function isExplainedSoon(variant: Variant, history: History, hint: Range | null, all: Work): boolean {
  const most = Math.min(SOMEWHERE_WORK, all.left);
  const work = new Work(most);
  const isExplained = unlessSpent(() => explains(variant, history, ALL_LAYERS, WINDOW, hint, work) !== null, false);
  all.spend(most - work.left);
  return isExplained;
}

/**
 * The episodes, of which the last is larger than its answer shows: by the fewest requests that explain the history.
 * Null if none do.
 */
function withMore(
  episodes: readonly Episode[],
  history: History,
  shape: Shape,
  isExplained: (history: History) => boolean,
): readonly Episode[] | null {
  const last = episodes.at(-1);
  if (!last) return null;
  const requests = SOMEWHERE.find((count) =>
    isExplained({ ...history, events: inOrder([...history.events, ...asked(count, last, shape)]) }),
  );
  return requests === undefined ? null : [...episodes.slice(0, -1), { ...last, requests: last.requests + requests }];
}

/**
 * The episodes, and one more of the fewest requests that explain the history, without any answer that shows when they
 * came: so they may have come together. Null if none do.
 */
function withSomewhere(
  episodes: readonly Episode[],
  { key, events, limit, ...rest }: History,
  isExplained: (history: History) => boolean,
): readonly Episode[] | null {
  const event = events.at(-1);
  const since = (events[0]?.from ?? 0) - 2 * WINDOW;
  if (!event) return null;
  const requests = SOMEWHERE.find((count) =>
    isExplained({
      ...rest,
      key,
      limit,
      events: inOrder([...events, ...Array.from({ length: count }, () => ({ ...unclear(event), from: since }))]),
    }),
  );
  if (requests === undefined) return null;
  return [...episodes, { key, event, requests, since, until: event.to, atLeast: true }];
}

/**
 * Requests of an episode. They were counted in the window of the answer that lacks them. If all requests leave a window
 * together, they may have come at that answer. In a sliding window, their time matters.
 */
function asked(count: number, { event, since }: Pick<Episode, 'event' | 'since'>, shape: Shape): readonly Event[] {
  const from = slides(shape) ? since : Math.max(since, event.from - shape.lag);
  return requestsOfOthers(count, event, from, event.to);
}

/** One more episode, its requests, and whether a marker tells when they came. */
interface Added {
  readonly episode: Episode;
  readonly events: readonly Event[];
  readonly isTold: boolean;
}

/**
 * The use by others that the answer lacks: as few requests as it shows, after the answer before it, which lacked none.
 * A sliding counter hides some in the share of its last bucket, so they may have come at any time after the last answer
 * that lacked some.
 *
 * @param since µs of the run's clock
 */
function episodeBefore(
  { event, allowed, lacking, kind }: Contradiction,
  history: History,
  since: number,
  shape: Shape,
): Added | null {
  if (!event) return null;
  const opens = !lacking && (kind === 'reset' || kind === 'marker moves' || !allowed);
  const opened = opens ? openerOf(event, history) : null;
  if (opened)
    return {
      episode: { key: history.key, event, requests: 1, since: opened.from, until: event.to },
      events: [opened],
      isTold: true,
    };
  const counted = lacking ?? allowed;
  if (!counted) return null;
  const left = event.outcome === 'refused' ? 0 : event.remaining;
  if (left === null) return null;
  const taken = event.outcome === 'refused' ? history.limit : history.shown - 1 - left;
  const requests = Math.ceil(taken - counted.high);
  if (requests <= 0 || requests > 2 * history.limit) return null;
  // If more came, and requests under way were counted after them, the next answers lack the others.
  const from = Math.max(since, event.from - 2 * WINDOW);
  const known = { key: history.key, event, requests, since: Math.min(from, event.to), until: event.to };
  const episode: Episode = shape.mechanism.startsWith('counter') ? { ...known, atLeast: true } : known;
  return { episode, events: asked(requests, episode, shape), isTold: false };
}

/**
 * When the last answer before this request came that showed what was left (µs of the run's clock). If refusals are
 * counted, they do not show the number of others' requests, because nothing is left in any case.
 */
function lastTold({ events }: History, { from }: Event, { refusedCounted }: Shape): number {
  const tells = ({ outcome, remaining }: Event): boolean =>
    remaining !== null && !(refusedCounted && outcome === 'refused');
  return events.findLast((other) => other.to < from && tells(other))?.from ?? Number.NEGATIVE_INFINITY;
}
