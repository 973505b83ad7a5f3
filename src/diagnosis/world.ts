import { ascending, numbersOf } from '../oracle/ascending.ts';
import { ALL_LAYERS, type Layers } from '../oracle/check.ts';
import { type Event, type History, WINDOW } from '../oracle/history.ts';
import { SHAPES, type Shape } from '../oracle/shapes.ts';
import { singleInteger } from '../oracle/single-integer.ts';
import type { MechanismName } from '../oracle/variant.ts';
import type { Kind } from '../trace/exchange.ts';

/**
 * A run under one hypothesis: the histories that one deployment must explain together, with one mechanism and one
 * treatment of failed requests. A hypothesis changes the histories (which requests use which budget, how much a request
 * counts, what the limit is), the length of the window, or which headers are believed.
 */
export interface World {
  readonly histories: readonly History[];
  readonly shapes: readonly Shape[];
  /** Length of the window in µs. */
  readonly window: number;
  readonly layers: Layers;
}

/** The world under the hypothesis that the deployment conforms to clause 8. */
export function conformingWorld(histories: readonly History[]): World {
  const marked = histories.some(({ events }) => events.some(({ reset }) => reset !== null));
  // Without markers, mechanisms that differ only in their markers are equal.
  const shapes = marked ? SHAPES : SHAPES.filter(({ reset, marker }) => reset === 'oldest' && marker === undefined);
  const able = shapes.filter(({ mechanism }) => isOfItsOwn(mechanism, histories));
  return { histories, shapes: able, window: WINDOW, layers: ALL_LAYERS };
}

/**
 * Whether a mechanism is another one than windows that the requests of a budget itself begin: others must have been
 * sent.
 */
function isOfItsOwn(mechanism: MechanismName, histories: readonly History[]): boolean {
  if (mechanism === 'anchored, key') return histories.some(({ beside }) => (beside?.ofKey.length ?? 0) > 0);
  if (mechanism !== 'anchored, all') return true;
  return histories.some(({ beside, events }) => (beside?.ofAll?.length ?? 0) > events.length);
}

/** The world with each history changed; histories without requests are left out. */
export function changed(world: World, change: (history: History) => History | readonly History[]): World {
  const histories = world.histories.flatMap(change).filter(({ events }) => events.length > 0);
  return { ...world, histories };
}

/** The history with some of its events replaced, or left out if `null` is given for them. */
export function withEvents(history: History, replace: (event: Event) => Event | null): History {
  const events: Event[] = [];
  let isSame = true;
  for (const event of history.events) {
    const replaced = replace(event);
    isSame &&= replaced === event;
    if (replaced) events.push(replaced);
  }
  // What is known of the events stays known if none was changed.
  return { ...history, events: isSame ? history.events : events };
}

/** The world in which each of these markers lies so much later (µs; negative: earlier). */
export function markedLater(world: World, by: number, which: (event: Event) => boolean = () => true): World {
  return changed(world, (history) =>
    withEvents(history, (event) =>
      event.reset === null || !which(event) ? event : { ...event, reset: event.reset + by },
    ),
  );
}

/** The world in which some answers do not state what is left (`remaining`), or when the window ends (`reset`). */
export function untold(
  world: World,
  headers: readonly ('remaining' | 'reset')[],
  which: (event: Event) => boolean,
): World {
  const silent = Object.fromEntries(headers.map((header) => [header, null]));
  return changed(world, (history) => withEvents(history, (event) => (which(event) ? { ...event, ...silent } : event)));
}

/** The world in which some requests may have been counted, and nothing else about them is judged. */
export function leftOpen(world: World, which: (event: Event, history: History) => boolean): World {
  return changed(world, (history) => withEvents(history, (event) => (which(event, history) ? unclear(event) : event)));
}

/** A request that may have been counted, and about which nothing else is judged. */
export function unclear(event: Event): Event {
  return { ...event, outcome: 'unclear', group: '', remaining: null, reset: null };
}

/** Whether the limiter accepted or refused it. */
export function isDecided({ outcome }: Event): boolean {
  return outcome === 'accepted' || outcome === 'refused';
}

/** The status of an answer that belongs to a budget. */
export function statusOf({ outcome, exchange }: Event): readonly number[] {
  const tells = outcome === 'accepted' || outcome === 'refused' || outcome === 'failed';
  return tells && exchange.status !== null ? [exchange.status] : [];
}

/** Whether a request of an operation of the other kind is charged to a budget of this kind. */
export function isCharged({ exchange: { kind, operation } }: Event, own: Kind): boolean {
  return operation !== null && kind !== own;
}

/** Whether it was refused although its answer says that something is left. */
export function isRefusedEarly({ outcome, remaining }: Event): boolean {
  return outcome === 'refused' && (remaining ?? 0) > 0;
}

/**
 * The events with a marker, grouped by marker, in order of the first of each group. Markers are one if they lie no
 * further apart than a request was under way, as some are computed when the answer is written, from the time that was
 * left when the request was counted. If groups of such markers are wider, only those are one that a unit lies between.
 *
 * @param unit of the markers (µs): some are computed anew for each answer, and rounded
 */
export function byMarker(events: readonly Event[], unit = 0): ReadonlyMap<number, readonly Event[]> {
  // The markers of successive windows lie a minute apart, which may be one unit.
  const isFine = unit > 0 && unit < WINDOW / 2;
  const near = nearMarkers(events, isFine ? unit : 0);
  if (near) return near;
  const groups = new Map<number, Event[]>();
  for (const event of events) {
    const { reset } = event;
    if (reset === null) continue;
    const known = isFine ? [reset, reset - unit, reset + unit].find((each) => groups.has(each)) : reset;
    const group = groups.get(known ?? reset);
    if (group) group.push(event);
    else groups.set(reset, [event]);
  }
  return groups;
}

/** Groups of markers that lie no further apart than the longest request was under way; null if some group is wider. */
function nearMarkers(events: readonly Event[], unit: number): ReadonlyMap<number, readonly Event[]> | null {
  const marked = events.filter(({ reset }) => reset !== null);
  const widest = marked.reduce((most, { from, to }) => Math.max(most, to - from), 0) + 2 * unit;
  if (widest > WINDOW / 2) return null;
  const starts = new Map<number, number>();
  let start = Number.NEGATIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const marker of ascending(numbersOf(marked, ({ reset }) => reset ?? 0))) {
    if (marker > last + widest) start = marker;
    else if (marker > start + widest) return null;
    starts.set(marker, start);
    last = marker;
  }
  return Map.groupBy(marked, ({ reset }) => starts.get(reset ?? 0) ?? 0);
}

/**
 * The events with a marker, grouped by window; null if there are more markers than windows, so that they do not show
 * windows.
 *
 * @param length of a window, in µs
 * @param unit as for `byMarker`; null: unknown
 */
export function byWindow(
  events: readonly Event[],
  length: number,
  unit: number | null = null,
): readonly (readonly Event[])[] | null {
  const windows = [...byMarker(events, unit ?? 0).values()];
  const time = (events.at(-1)?.to ?? 0) - (events[0]?.from ?? 0);
  return windows.length > time / length + 2 ? null : windows;
}

/** When some requests were sent and answered, each ascending. */
export interface Times {
  readonly sent: Float64Array;
  readonly answered: Float64Array;
}

export function timesOf(events: readonly Event[]): Times {
  return {
    sent: ascending(numbersOf(events, ({ from }) => from)),
    answered: ascending(numbersOf(events, ({ to }) => to)),
  };
}

/** Events of several budgets as those of one, in order of `from`. */
export function inOrder(events: readonly Event[]): readonly Event[] {
  return [...events].sort((one, other) => one.from - other.from || one.exchange.seq - other.exchange.seq);
}

/**
 * The events up to a time from which on it is not known what was counted with them. A request that was under way then
 * may have been decided after something later.
 */
export function upToEnd(events: readonly Event[], until: number): readonly Event[] {
  return events.filter(({ from }) => from < until).map((event) => (event.to < until ? event : unclear(event)));
}

/** The histories of several budgets as that of one, up to where the first of them ends. */
export function merged(histories: readonly History[], key: string): History | null {
  const [first] = histories;
  if (!first) return null;
  const until = histories.reduce((least, history) => Math.min(least, history.until), Number.POSITIVE_INFINITY);
  const events = histories.flatMap((history) => upToEnd(history.events, until));
  return { ...first, key, events: inOrder(events), until };
}

/** The limit that the answer states; null if it states none. */
export function limitTold({ exchange }: Event): number | null {
  return singleInteger(exchange.headers.limit);
}

/**
 * Whether the limiter may take a request for any operation: if its path is written differently, it may have been
 * counted or not.
 */
export function mayBeAnyOperation({ outcome, exchange }: Event): boolean {
  return outcome === 'unclear' && exchange.operation === null;
}
