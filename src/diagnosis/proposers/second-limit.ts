import { type Attribute, classOf, type RequestClass } from '../../deployment/attribute.ts';
import { HOUR } from '../../deployment/deployment.ts';
import type { SecondLimit } from '../../deployment/deviations/second-limit.ts';
import { ascending, below, numbersOf } from '../../oracle/ascending.ts';
import { refusedWithSomeLeft } from '../../oracle/capacity.ts';
import { type Event, type History, isLetThrough, WINDOW } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, isRefusedEarly, limitTold, unclear, type World, withEvents } from '../world.ts';
import { TOLD_BITS } from './limit.ts';
import { LENGTHS, LIMIT_BITS, limitsSeen, limitThatFits, quotasSeen } from './limits-seen.ts';
import { isByOthers, refusedEarly } from './refused-early.ts';
import { isRefusedBy, sharedLimits } from './shared-limit.ts';

/** Bits to state the class of requests that it limits: one of some thirty. */
const CLASS_BITS = 5;

/** Bits for a window of which no end was seen: whatever is refused last of all may be due to one. */
const ENDLESS_BITS = 5;

/** Bits to state that a lower limit of all requests stands beside that of clause 8, and not in its place. */
const ANOTHER_BITS = 3;

/**
 * A further limit, on some requests or for a shorter time: requests are refused although their answers say that some
 * are left. The rest must be explained without these refusals, and the refusals by windows of their own.
 */
export function* proposeSecondLimits(world: World, context: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  // The headers may belong to the limit that refuses.
  const another = new Set(world.histories.flatMap(refusedByAnother));
  const isTold = another.size > 0 && !world.histories.some(({ events }) => events.some(isRefusedEarly));
  const told = isTold ? { told: { counted: 'besides', by: 'refusals' } as const } : {};
  // Its refusals may tell the end of either window, so those with some left are its own as well.
  const all = new Set([...(isTold ? another : []), ...refusedEarly(world, context)]);
  const said = new Set([...all].filter(isRefusedEarly));
  // If refused requests are counted, they may have spent what the others lack: those that say that some are left are
  // early.
  const sets = said.size > 0 && said.size < all.size ? [said, all] : [all];
  for (const early of sets) yield* limitsBy(early, world, context, told);
  if (all.size === 0) yield* proposeQuotas(world, context);
}

/**
 * A quota for the whole run, if use by others explains the run as well: they may have spent what an earlier answer had
 * left, but hardly so that several budgets are refused after as many requests, and until the end.
 */
function* proposeQuotas(world: World, context: SearchContext): Iterable<Proposal> {
  const early = world.histories.map(refusedWithSomeLeft).filter(({ size }) => size > 0);
  if (early.length > 1) yield* limitsBy(new Set(early.flatMap((own) => [...own])), world, context, {}, [HOUR]);
}

function* limitsBy(
  early: ReadonlySet<Event>,
  world: World,
  context: SearchContext,
  told: Pick<SecondLimit, 'told'>,
  // If refusals state an end of their own, it is one that comes.
  lengths: readonly number[] = told.told ? LENGTHS : [...LENGTHS, HOUR],
): Iterable<Proposal> {
  if (early.size === 0) return;
  const { kind } = context;
  const rests = besides(world, early);
  for (const { only, own } of suspects(world.histories, (event) => early.has(event))) {
    for (const window of lengths) {
      if (window === HOUR && own.some(({ events }) => isOpenAgain(events))) continue;
      const limits = window === HOUR ? quotasSeen(own) : limitsSeen(own, window);
      // A gateway may hold the same limit in windows of its own.
      const same = only === null && window === WINDOW ? own.slice(0, 1).map((each) => each.limit) : [];
      const found = limitThatFits(own, [...same, ...limits], window, world.histories, context);
      if (!found) continue;
      const { limit } = found;
      const endless = window === HOUR ? ENDLESS_BITS : 0;
      // In each minute, no more than the limit are let through anyway, and fewer of each class. For all requests, the
      // same number stands beside another mechanism, and a lower one is more plainly another limit.
      if (window === WINDOW && own.some((each) => limit > each.limit || (only !== null && limit === each.limit)))
        continue;
      const another = window === WINDOW && only === null && own.some((each) => limit < each.limit) ? ANOTHER_BITS : 0;
      for (const rest of rests) {
        yield {
          deviations: [{ operator: 'second-limit', parameters: { kinds: [kind], only, limit, window, ...told } }],
          bits: DEVIATION_BITS + LIMIT_BITS + found.bits + (only?.classes.length ?? 0) * CLASS_BITS + endless + another,
          world: rest,
        };
      }
      break;
    }
  }
}

/** Whether something was let through after a refusal: no quota for the whole run refused that. */
function isOpenAgain(events: readonly Event[]): boolean {
  const first = events.find(({ outcome }) => outcome === 'refused');
  return first !== undefined && events.some((event) => isLetThrough(event) && event.from > first.to);
}

/**
 * A further limit that each budget has, or several together, whatever of failed and refused requests it counts. A
 * proposer of its own, because it needs much work. If use by others explains the run, and no answer says that some were
 * left, earlier answers show that.
 */
export function* proposeSharedLimits(world: World, context: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  const early = refusedEarly(world, context);
  const isSaid = [...early].some(isRefusedEarly);
  const found =
    early.size > 0 ? early : new Set(world.histories.flatMap((history) => [...refusedWithSomeLeft(history)]));
  if (found.size === 0) return;
  const refuses = isSaid ? isRefusedEarly : (event: Event): boolean => found.has(event);
  const byOthers = !isSaid && isByOthers(context);
  for (const { parameters, bits } of sharedLimits(world, context, { refuses, told: null, byOthers })) {
    for (const rest of besides(world, found)) {
      yield {
        deviations: [{ operator: 'second-limit', parameters }],
        bits: DEVIATION_BITS + LIMIT_BITS + bits,
        world: rest,
      };
    }
  }
}

/** The same, if its refusals state it and only they do. */
export function* proposeToldSharedLimits(world: World, context: SearchContext): Iterable<Proposal> {
  const told = world.window === WINDOW ? limitOfRefusals(world.histories) : null;
  if (told === null) return;
  const refuses = (event: Event): boolean => isRefusedBy(told, event);
  for (const { parameters, bits } of sharedLimits(world, context, { refuses, told })) {
    for (const refused of [() => null, unclear]) {
      yield {
        deviations: [
          { operator: 'second-limit', parameters: { ...parameters, told: { counted: 'besides', by: 'refusals' } } },
        ],
        bits: DEVIATION_BITS + TOLD_BITS + LENGTH_BITS + bits,
        world: changed(world, (history) =>
          withEvents(history, (event) => (isRefusedBy(told, event) ? refused(event) : event)),
        ),
      };
    }
  }
}

/** Bits to state which of four lengths its window has. */
const LENGTH_BITS = 2;

/** The one other limit that refusals state, if no other answer states it; null: there is none. */
function limitOfRefusals(histories: readonly History[]): number | null {
  const stated = (is: (event: Event) => boolean): ReadonlySet<number | null> =>
    new Set(histories.flatMap(({ events }) => events.filter(is).map(limitTold)));
  const others = stated(isLetThrough);
  const own = new Set(histories.map(({ limit }) => limit));
  const [told = null, ...more] = [...stated(({ outcome }) => outcome === 'refused')].filter(
    (limit) => limit !== null && !own.has(limit) && !others.has(limit),
  );
  return more.length === 0 ? told : null;
}

/**
 * The world without what another limit refused: these requests were not counted, or perhaps they were. If none was
 * left, either limit may have refused such a request.
 */
function besides(world: World, early: ReadonlySet<Event>): readonly World[] {
  const operations = new Set([...early].map(({ exchange }) => exchange.operation));
  const isMeant = ({ outcome, exchange }: Event): boolean =>
    outcome === 'refused' && operations.has(exchange.operation);
  return [() => null, unclear].map((refused) =>
    changed(world, (history) => withEvents(history, (event) => (isMeant(event) ? refused(event) : event))),
  );
}

/** Markers of one window differ by at most this, in µs: clocks may tick in seconds. */
const ONE_END = 2_000_000;

/** Refusals whose marker is long before the end of the window in which other requests were accepted just before. */
function refusedByAnother({ events }: History): readonly Event[] {
  let latest: number | null = null;
  return events.filter(({ outcome, reset }) => {
    if (outcome === 'accepted') latest = reset ?? latest;
    return outcome === 'refused' && reset !== null && latest !== null && reset < latest - ONE_END;
  });
}

/**
 * The requests that a second limit may apply to: those of one class, if all early refusals are of this class; those of
 * some operations; or all.
 */
function* suspects(
  histories: readonly History[],
  early: (event: Event) => boolean,
): Iterable<{
  readonly only: RequestClass | null;
  readonly own: readonly History[];
}> {
  const refused = histories.flatMap(({ events }) => events.filter(early));
  for (const attribute of ['operation', 'group', 'method', 'credential'] as const) {
    const classes = new Set(refused.map(({ exchange }) => classOf(attribute, exchange)));
    if (classes.size !== 1 && attribute !== 'operation') continue;
    if (isOfAll(histories, attribute, classes)) continue;
    const passed = passedBetween(histories, early, attribute);
    const own = histories.map((history) =>
      withEvents(history, (event) => {
        const name = classOf(attribute, event.exchange);
        if (classes.has(name)) return decided(event, early);
        // If a request was never sent at a moment that would show it, it may be limited.
        return passed.has(name) || attribute !== 'operation' ? null : unclear(event);
      }),
    );
    yield { only: { attribute, classes: [...classes].sort() }, own: own.filter(({ events }) => events.length > 0) };
  }
  yield { only: null, own: histories.map((history) => withEvents(history, (event) => decided(event, early))) };
}

/** Whether every request of an operation is of these classes: then they are no part of the requests. */
function isOfAll(histories: readonly History[], attribute: Attribute, classes: ReadonlySet<string>): boolean {
  return histories.every(({ events }) =>
    events.every(({ exchange }) => exchange.operation === null || classes.has(classOf(attribute, exchange))),
  );
}

/** µs between two refusals within which a fixed window can hardly have ended and been spent again. */
const AT_ONCE = 5_000_000;

/** Classes of which one was accepted between two early refusals in quick succession: these are not limited. */
function passedBetween(
  histories: readonly History[],
  early: (event: Event) => boolean,
  attribute: Attribute,
): ReadonlySet<string> {
  const passed = new Set<string>();
  for (const { events } of histories) {
    const refused = events.filter(early);
    const answered = ascending(numbersOf(refused, ({ to }) => to));
    const sent = ascending(numbersOf(refused, ({ from }) => from));
    for (const event of events) {
      if (!isLetThrough(event)) continue;
      // What came between any two of them came after the last one before it, and before the last one soon after that.
      const before = answered[below(answered, event.from) - 1];
      const after = before === undefined ? undefined : sent[below(sent, before + AT_ONCE) - 1];
      if (after !== undefined && event.to < after) passed.add(classOf(attribute, event.exchange));
    }
  }
  return passed;
}

/** The decisions of the second limit: it let accepted requests through, and refused those refused early. */
function decided(event: Event, early: (event: Event) => boolean): Event | null {
  const told = { ...event, remaining: null, reset: null };
  if (isLetThrough(event)) return { ...told, outcome: 'accepted' };
  return early(event) ? told : unclear(event);
}
