import { type Attribute, classOf } from '../../deployment/attribute.ts';
import { DECISIONS } from '../../oracle/check.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { shape } from '../../oracle/shapes.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { unclear, type World, withEvents } from '../world.ts';

/** Usual windows of second limits, in µs. */
const LENGTHS = [1, 5, 10, 60].map((seconds) => seconds * 1_000_000);

/** Bits to state a limit of some tens (5), and which of four lengths its window has (2). */
const LIMIT_BITS = 7;

/** Bits to state the class of requests that it limits: one of some thirty. */
const CLASS_BITS = 5;

/**
 * A further limit, on some requests or for a shorter time: requests are refused although their answers say that some
 * are left. The rest must be explained without these refusals, and the refusals by windows of their own.
 */
export function* proposeSecondLimits(world: World, { kind, fitter }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  const refused = world.histories.flatMap(({ events }) => events.filter(({ outcome }) => outcome === 'refused'));
  const untold = new Set(refused.filter(({ remaining }) => (remaining ?? 0) > 0));
  // The headers may belong to the limit that refuses.
  const found = untold.size > 0 ? untold : new Set(world.histories.flatMap(refusedByAnother));
  if (found.size === 0) return;
  const told = untold.size > 0 ? {} : { told: { counted: 'besides', by: 'refusals' } as const };
  const early = (event: Event): boolean => found.has(event);
  const operations = new Set(
    world.histories.flatMap(({ events }) => events.filter(early).map(({ exchange }) => exchange.operation)),
  );
  // If none was left, either limit may have refused these requests, so the other one may not have counted them.
  const rest = world.histories.map((history) =>
    withEvents(history, (event) =>
      event.outcome === 'refused' && operations.has(event.exchange.operation) ? unclear(event) : event,
    ),
  );
  for (const { only, own } of suspects(world.histories, early)) {
    for (const window of LENGTHS) {
      if (only === null && window === WINDOW) continue;
      const shapes = [shape('anchored', 0), shape('grid', 0), shape('anchored', 1_000_000)];
      const limit = limitsSeen(own, window).find((each) => {
        const histories = own.map((history) => ({ ...history, limit: each, shown: each }));
        return fitter.fit({ histories, shapes, window, layers: DECISIONS });
      });
      if (limit === undefined) continue;
      yield {
        deviations: [{ operator: 'second-limit', parameters: { kinds: [kind], only, limit, window, ...told } }],
        bits: DEVIATION_BITS + LIMIT_BITS + (only?.classes.length ?? 0) * CLASS_BITS,
        world: { ...world, histories: rest },
      };
      break;
    }
  }
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
  readonly only: { readonly attribute: Attribute; readonly classes: readonly string[] } | null;
  readonly own: readonly History[];
}> {
  const refused = histories.flatMap(({ events }) => events.filter(early));
  for (const attribute of ['operation', 'group', 'method', 'credential'] as const) {
    const classes = new Set(refused.map(({ exchange }) => classOf(attribute, exchange)));
    if (classes.size !== 1 && attribute !== 'operation') continue;
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

/** µs between two refusals within which a fixed window can hardly have ended and been spent again. */
const AT_ONCE = 5_000_000;

/**
 * Classes with an accepted request between two early refusals in quick succession: the second limit does not apply to
 * them.
 */
function passedBetween(
  histories: readonly History[],
  early: (event: Event) => boolean,
  attribute: Attribute,
): ReadonlySet<string> {
  const passed = new Set<string>();
  for (const { events } of histories) {
    const refused = events.filter(early);
    for (const [index, one] of refused.entries()) {
      const other = refused.slice(index + 1).findLast(({ from }) => from - one.to < AT_ONCE);
      if (!other) continue;
      for (const event of events) {
        if (event.outcome === 'accepted' && event.from > one.to && event.to < other.from) {
          passed.add(classOf(attribute, event.exchange));
        }
      }
    }
  }
  return passed;
}

/** The decisions of the second limit: it let accepted requests through, and refused those refused early. */
function decided(event: Event, early: (event: Event) => boolean): Event | null {
  return event.outcome === 'accepted' || early(event) ? { ...event, remaining: null, reset: null } : unclear(event);
}

/**
 * The possible limits, from the decisions of a second limit: at an early refusal, exactly the limit had been accepted
 * in its window, or fewer if requests refused by the other limit also count. The window begins at its first request or,
 * if this is unknown, ends at the refusal.
 */
function limitsSeen(histories: readonly History[], window: number): readonly number[] {
  const inWindows = histories.flatMap(({ events }) => countsAtRefusals(events, window));
  const before = histories.flatMap(({ events }) => {
    const accepted = events.filter(({ outcome }) => outcome === 'accepted');
    return events
      .filter(({ outcome }) => outcome === 'refused')
      .map(({ from, to }) => accepted.filter((each) => each.from <= to && each.from > from - window).length);
  });
  const all = [Math.max(...inWindows), Math.min(...before), Math.max(...before)];
  return [...new Set(all)].filter((each) => each >= 1 && each !== Number.POSITIVE_INFINITY);
}

/** How many were accepted in each window, beginning at a first request, in which something was refused early. */
function countsAtRefusals(events: readonly Event[], window: number): number[] {
  const counts: number[] = [];
  let opened = Number.NEGATIVE_INFINITY;
  let accepted = 0;
  let isShort = false;
  const close = (): void => {
    if (isShort) counts.push(accepted);
  };
  for (const event of [...events].sort((one, other) => one.from - other.from)) {
    if (event.from >= opened + window) {
      close();
      if (event.outcome !== 'accepted') continue;
      opened = event.from;
      accepted = 0;
      isShort = false;
    }
    if (event.outcome === 'accepted') accepted += 1;
    if (event.outcome === 'refused') isShort = true;
  }
  close();
  return counts;
}
