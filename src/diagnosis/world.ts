import { ALL_LAYERS, type Layers } from '../oracle/check.ts';
import { type Event, type History, singleInteger, WINDOW } from '../oracle/history.ts';
import { SHAPES, type Shape } from '../oracle/shapes.ts';

/**
 * What a run would be under one hypothesis: the histories that one deployment has to explain together, with one mechanism and
 * one treatment of failed requests. A hypothesis changes the histories (which requests draw on which budget, what a request
 * weighs, what the limit is), the length of the window, or the layers of evidence that are to be believed.
 */
export interface World {
  readonly histories: readonly History[];
  readonly shapes: readonly Shape[];
  /** Length of the window in µs. */
  readonly window: number;
  readonly layers: Layers;
}

/** The world in which the deployment does what clause 8 states. */
export function conformingWorld(histories: readonly History[]): World {
  const marked = histories.some(({ events }) => events.some(({ reset }) => reset !== null));
  // Without markers, mechanisms that differ in what theirs points to are one.
  const shapes = marked ? SHAPES : SHAPES.filter(({ reset, marker }) => reset === 'oldest' && marker === undefined);
  return { histories, shapes, window: WINDOW, layers: ALL_LAYERS };
}

/** The world with each history changed; those that are left without requests are left out. */
export function changed(world: World, change: (history: History) => History | readonly History[]): World {
  const histories = world.histories.flatMap(change).filter(({ events }) => events.length > 0);
  return { ...world, histories };
}

/** The history with some of its events replaced, or left out where `null` is given for them. */
export function withEvents(history: History, replace: (event: Event) => Event | null): History {
  const events = history.events.flatMap((event) => replace(event) ?? []);
  return { ...history, events };
}

/** The world in which some answers do not tell what is left (`remaining`), or when the window ends (`reset`). */
export function untold(
  world: World,
  headers: readonly ('remaining' | 'reset')[],
  which: (event: Event) => boolean,
): World {
  const silent = Object.fromEntries(headers.map((header) => [header, null]));
  return changed(world, (history) => withEvents(history, (event) => (which(event) ? { ...event, ...silent } : event)));
}

/** A request that may have been counted, and of which nothing else is judged. */
export function unclear(event: Event): Event {
  return { ...event, outcome: 'unclear', group: '', remaining: null, reset: null };
}

/** Whether the limiter said of it that it was within the limit, or over it. */
export function isDecided({ outcome }: Event): boolean {
  return outcome === 'accepted' || outcome === 'refused';
}

/** The events that carry a marker, those with the same one together, in order of the first of each. */
export function byMarker(events: readonly Event[]): ReadonlyMap<number, readonly Event[]> {
  const groups = new Map<number, Event[]>();
  for (const event of events) {
    if (event.reset === null) continue;
    const group = groups.get(event.reset);
    if (group) group.push(event);
    else groups.set(event.reset, [event]);
  }
  return groups;
}

/**
 * The events that carry a marker, those of one window together; null where there are more markers than windows, which tell none.
 *
 * @param length of a window, in µs
 */
export function byWindow(events: readonly Event[], length: number): readonly (readonly Event[])[] | null {
  const windows = [...byMarker(events).values()];
  const time = (events.at(-1)?.to ?? 0) - (events[0]?.from ?? 0);
  return windows.length > time / length + 2 ? null : windows;
}

/** Events of several budgets as those of one, in order of `from`. */
export function inOrder(events: readonly Event[]): readonly Event[] {
  return [...events].sort((one, other) => one.from - other.from || one.exchange.seq - other.exchange.seq);
}

/** The histories of several keys as that of one budget: up to where the first of them ends. */
export function merged(histories: readonly History[], key: string): History | null {
  const [first] = histories;
  if (!first) return null;
  const until = histories.reduce((least, history) => Math.min(least, history.until), Number.POSITIVE_INFINITY);
  const events = histories.flatMap((history) => history.events).filter(({ from }) => from < until);
  return { ...first, key, events: inOrder(events), until };
}

/** The limit that the answer tells; null where it tells none. */
export function limitTold({ exchange }: Event): number | null {
  return singleInteger(exchange.headers.limit);
}
