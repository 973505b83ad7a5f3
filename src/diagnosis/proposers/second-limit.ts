import { type Attribute, classOf } from '../../deployment/attribute.ts';
import { DECISIONS } from '../../oracle/check.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { shape } from '../../oracle/shapes.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { unclear, type World, withEvents } from '../world.ts';

/** Lengths that second limits usually have, in µs. */
const LENGTHS = [1, 5, 10, 60].map((seconds) => seconds * 1_000_000);

/** Bits to say a limit of some tens (5), and which of four lengths its window has (2). */
const LIMIT_BITS = 7;

/** Bits to say a class of requests that it holds for: one of some thirty. */
const CLASS_BITS = 5;

/**
 * A limit besides, of some requests or of a shorter time: requests are refused while their answers say that some are left. The rest is
 * explained without these refusals, and these by windows of their own.
 */
export function* proposeSecondLimits(world: World, { kind, fitter }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  const refused = world.histories.flatMap(({ events }) => events.filter(({ outcome }) => outcome === 'refused'));
  const untold = new Set(refused.filter(({ remaining }) => (remaining ?? 0) > 0));
  // Its headers may be those of the limit that refuses.
  const found = untold.size > 0 ? untold : new Set(world.histories.flatMap(refusedByAnother));
  if (found.size === 0) return;
  const told = untold.size > 0 ? {} : { told: { counted: 'besides', by: 'refusals' } as const };
  const early = (event: Event): boolean => found.has(event);
  const operations = new Set(
    world.histories.flatMap(({ events }) => events.filter(early).map(({ exchange }) => exchange.operation)),
  );
  // Whichever limit refused a request of these when none was left: the other one may not have heard of it.
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

/** Markers of one window are no further apart, in µs: their clocks may tick in seconds. */
const ONE_END = 2_000_000;

/** Refusals that tell an end long before that of the window from which other requests were accepted just before. */
function refusedByAnother({ events }: History): readonly Event[] {
  let latest: number | null = null;
  return events.filter(({ outcome, reset }) => {
    if (outcome === 'accepted') latest = reset ?? latest;
    return outcome === 'refused' && reset !== null && latest !== null && reset < latest - ONE_END;
  });
}

/** The requests that a second limit may hold for: those of one class, where all that were refused early are of it; of some operations; or all. */
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
        // Of what was never sent in the moments that would tell, it may be that it counts.
        return passed.has(name) || attribute !== 'operation' ? null : unclear(event);
      }),
    );
    yield { only: { attribute, classes: [...classes].sort() }, own: own.filter(({ events }) => events.length > 0) };
  }
  yield { only: null, own: histories.map((history) => withEvents(history, (event) => decided(event, early))) };
}

/** µs between two refusals within which a fixed window has hardly ended and been spent again. */
const AT_ONCE = 5_000_000;

/** Classes of which something was accepted between two early refusals, at once after each other: the second limit does not hold for them. */
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

/** What the second limit decided: it let through what was accepted, and refused what was refused early. */
function decided(event: Event, early: (event: Event) => boolean): Event | null {
  return event.outcome === 'accepted' || early(event) ? { ...event, remaining: null, reset: null } : unclear(event);
}

/**
 * What the limit may be, from what a second limit decided: at an early refusal, as many were accepted in its window as the limit is, or fewer, where a request counted that the other
 * limit refused. The window is told from the first request of it on; and for what is not told so, from the refusal back.
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

/** How many were accepted in each window from a first request on in which something was refused early. */
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
