import { ALL_LAYERS, type Contradiction } from '../oracle/check.ts';
import { explains, type Variant } from '../oracle/explain.ts';
import { firstContradiction } from '../oracle/first-contradiction.ts';
import { type Event, type History, type Range, WINDOW } from '../oracle/history.ts';
import { phaseByMarkers } from '../oracle/marker-phase.ts';
import { type Choice, type Shape, slides, variantOf } from '../oracle/shapes.ts';
import { unlessSpent, Work } from '../oracle/work.ts';
import { bitsOf, type Episode } from './episodes.ts';
import { inOrder, unclear } from './world.ts';

/** Requests of somebody else that would have to have been counted, and where. */
export interface BackgroundTraffic {
  /** How many in all. */
  readonly requests: number;
  /** Whether they explain all; else there are more of them than were looked for. */
  readonly complete: boolean;
  /** One for each answer that shows that some were missing, in order of time. */
  readonly episodes: readonly Episode[];
  /** What it costs to say, in bits. */
  readonly bits: number;
}

/** Episodes in one budget beyond which the supposition is given up: it explains nothing that a rule would not explain better. */
const MOST_EPISODES = 32;

/**
 * Few episodes of use by others under which a mechanism explains the histories, found by putting one before the first answer that
 * lacks requests. Null where something other than missing requests contradicts the mechanism.
 *
 * @param choice how failed requests are counted
 */
export function backgroundTraffic(
  histories: readonly History[],
  shape: Shape,
  choice: Choice,
  work: Work,
): BackgroundTraffic | null {
  const episodes: Episode[] = [];
  const time = WINDOW + timeOf(histories);
  const bits = (found: readonly Episode[]): number => bitsOf(found, histories.length, time);
  let complete = true;
  for (const history of histories) {
    // What an answer lacks may have come with what one before it lacked, or by itself: whichever is said in fewer bits.
    const grown = inOneBudget(history, shape, choice, true, work);
    const apart = grown?.length === 0 ? grown : inOneBudget(history, shape, choice, false, work);
    const found = !grown || (apart && bits(apart) < bits(grown)) ? apart : grown;
    if (!found) return null;
    episodes.push(...found);
    complete &&= found.length <= MOST_EPISODES;
  }
  return {
    requests: episodes.reduce((sum, each) => sum + each.requests, 0),
    complete,
    episodes,
    bits: bits(episodes),
  };
}

/** From the first request to the last answer, in µs. */
function timeOf(histories: readonly History[]): number {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { events } of histories) {
    first = Math.min(first, events[0]?.from ?? first);
    last = Math.max(last, events.at(-1)?.to ?? last);
  }
  return last - first;
}

/**
 * The episodes in one budget; more than `MOST_EPISODES` where these do not explain all.
 *
 * @param growing what an answer lacks may have come with what an earlier one lacked, wherever that explains it
 */
function inOneBudget(
  history: History,
  shape: Shape,
  choice: Choice,
  growing: boolean,
  work: Work,
): readonly Episode[] | null {
  const variant = variantOf(shape, choice);
  const episodes: Episode[] = [];
  const hint = phaseByMarkers(history);
  let current = history;
  let latest: Event | null = null;
  while (episodes.length <= MOST_EPISODES) {
    if (explains(variant, current, ALL_LAYERS, WINDOW, hint, work)) return episodes;
    const contradiction = firstContradiction(variant, current, hint, work);
    if (!contradiction) return withSomewhere(episodes, current, (some) => isExplainedSoon(variant, some, hint));
    const last = episodes.at(-1);
    const since: number = shape.mechanism.startsWith('counter')
      ? (latest?.to ?? Number.NEGATIVE_INFINITY)
      : contradiction.event
        ? lastTold(history, contradiction.event, shape)
        : 0;
    const added: ReturnType<typeof episodeBefore> = episodeBefore(contradiction, current, since, shape);
    // Where an episode mends nothing, it is not requests that are missing.
    if (!added || added.episode.event === latest) return null;
    latest = added.episode.event;
    const { requests } = added.episode;
    const together = last &&
      growing && { ...current, events: inOrder([...current.events, ...times(requests, asked(last, shape))]) };
    const next = together ? firstContradiction(variant, together, hint, work) : null;
    if (last && together && (!next || (next.event !== null && next.event.from > latest.from))) {
      // The episode before was larger than its own answer told.
      episodes.splice(-1, 1, { ...last, requests: last.requests + requests });
      current = together;
    } else {
      episodes.push(added.episode);
      current = { ...current, events: inOrder([...current.events, ...added.events]) };
    }
  }
  return episodes;
}

/** So many requests are tried of which no answer tells when they came, and so many events may be looked at for each: few where they explain it. */
const SOMEWHERE = [1, 3, 10, 30];
const SOMEWHERE_WORK = 200_000;

/** Whether a model explains a history; not where the work allowed does not tell. */
function isExplainedSoon(variant: Variant, history: History, hint: Range | null): boolean {
  const work = new Work(SOMEWHERE_WORK);
  return unlessSpent(() => explains(variant, history, ALL_LAYERS, WINDOW, hint, work) !== null, false);
}

/** The episodes and as few more as explain the history, of one request each, of which no single answer tells when they were; null where none do. */
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
      events: inOrder([...events, ...times(count, { ...unclear(event), from: since })]),
    }),
  );
  if (requests === undefined) return null;
  return [...episodes, ...Array.from({ length: requests }, () => ({ key, event, requests: 1, since }))];
}

/**
 * One request of an episode. It was counted in the window of the answer that lacks it, so that, for a window that all of its requests leave together,
 * it may as well have come with that answer; what slides tells when it came, too.
 */
function asked({ event, since }: Pick<Episode, 'event' | 'since'>, shape: Shape): Event {
  const from = slides(shape) ? since : Math.max(since, event.from - shape.lag);
  return { ...unclear(event), outcome: 'foreign', from, to: event.to };
}

/**
 * Use by others that the answer lacks: as few requests as it tells, since the answer before it, which lacked none. A counter hides a few in
 * the share that its last bucket still has, so that they may have come at any time since the last answer that lacked some.
 *
 * @param since µs of the run's clock
 */
function episodeBefore(
  { event, allowed, kind }: Contradiction,
  history: History,
  since: number,
  shape: Shape,
): { readonly episode: Episode; readonly events: readonly Event[] } | null {
  if (!event) return null;
  const opened = kind === 'reset' || kind === 'marker moves' || !allowed ? openerOf(event, history) : null;
  if (opened) return { episode: { key: history.key, event, requests: 1, since: opened.from }, events: [opened] };
  if (!allowed) return null;
  const left = event.outcome === 'refused' ? 0 : event.remaining;
  if (left === null) return null;
  const taken = event.outcome === 'refused' ? history.limit : history.shown - 1 - left;
  const requests = Math.ceil(taken - allowed.high);
  if (requests <= 0 || requests > 2 * history.limit) return null;
  // Where more came, and requests of the run that were under way were counted after it, the next answers lack the others.
  const from = Math.max(since, event.from - 2 * WINDOW);
  const episode = { key: history.key, event, requests, since: Math.min(from, event.to) };
  return { episode, events: times(requests, asked(episode, shape)) };
}

/**
 * When the last answer came that told what was left, before this request was sent (µs of the run's clock). Where refusals are counted, they do not tell
 * how many others there were: nothing is left, however many these are.
 */
function lastTold({ events }: History, { from }: Event, { refusedCounted }: Shape): number {
  const tells = ({ outcome, remaining }: Event): boolean =>
    remaining !== null && !(refusedCounted && outcome === 'refused');
  return events.findLast((other) => other.to < from && tells(other))?.from ?? Number.NEGATIVE_INFINITY;
}

function times(count: number, event: Event): readonly Event[] {
  return Array.from({ length: count }, () => event);
}

/** A request of somebody else that opened the window of which the event's marker is the end; null where no clock tells when. */
function openerOf(event: Event, { offset, unit, events }: History): Event | null {
  const { reset } = event;
  if (reset === null || unit === null || !Number.isFinite(offset.low) || !Number.isFinite(offset.high)) return null;
  const from = reset - unit - WINDOW - offset.high;
  const to = Math.min(event.to, reset + unit - WINDOW - offset.low);
  // What opened a window that had ended by then did not open this one.
  const isLongAgo = to < event.from - 2 * WINDOW;
  const known = events.some((other) => other.outcome === 'unclear' && other.from === from);
  return from > to || isLongAgo || known ? null : { ...unclear(event), from, to };
}

/**
 * The histories as they would be to somebody who cannot know what others have sent: only what no use by others explains is left
 * to contradict a mechanism. A window may have been opened by somebody else, as its marker tells.
 */
export function besideOthers(histories: readonly History[]): readonly History[] {
  return histories.map((history) => {
    const told = new Map(
      history.events.flatMap((event) => (event.reset === null ? [] : ([[event.reset, event]] as const))),
    );
    const openers = [...told.values()].flatMap((event) => openerOf(event, history) ?? []);
    return { ...history, shared: true, events: inOrder([...history.events, ...openers]) };
  });
}
