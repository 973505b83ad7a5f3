import { type Attribute, classOf } from '../../deployment/attribute.ts';
import { DECISIONS } from '../../oracle/check.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { shape } from '../../oracle/shapes.ts';
import { DEVIATION_BITS, type Proposal, type Scene } from '../proposal.ts';
import { unclear, type World, withEvents } from '../world.ts';

/** Lengths that second limits usually have, in µs. */
const LENGTHS = [1, 5, 10, 60].map((seconds) => seconds * 1_000_000);

/** Bits to say a limit, and which of some forty classes or lengths it holds for. */
const LIMIT_BITS = 12;

/**
 * A limit besides, of some requests or of a shorter time: requests are refused while their answers say that some are left. The rest is
 * explained without these refusals, and these by windows of their own.
 */
export function* proposeSecondLimits(world: World, { kind, fitter }: Scene): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  const early = (event: Event): boolean => event.outcome === 'refused' && (event.remaining ?? 0) > 0;
  if (!world.histories.some(({ events }) => events.some(early))) return;
  const rest = world.histories.map((history) =>
    withEvents(history, (event) => (early(event) ? unclear(event) : event)),
  );
  if (!fitter.fit({ ...world, histories: rest })) return;
  for (const { only, own } of suspects(world.histories, early)) {
    for (const window of LENGTHS) {
      if (only === null && window === WINDOW) continue;
      const limit = Math.max(...own.map((history) => mostBefore(history, early, window)));
      if (limit < 1) continue;
      const histories = own.map((history) => ({ ...history, limit, shown: limit }));
      const shapes = [shape('anchored', 0), shape('grid', 0), shape('anchored', 1_000_000)];
      if (!fitter.fit({ histories, shapes, window, layers: DECISIONS })) continue;
      yield {
        deviations: [{ operator: 'second-limit', parameters: { kinds: [kind], only, limit, window } }],
        bits: DEVIATION_BITS + LIMIT_BITS,
        world: { ...world, histories: rest },
      };
      return;
    }
  }
}

/** The requests that a second limit may hold for: those of one class, where all that were refused early are of it; or all. */
function* suspects(
  histories: readonly History[],
  early: (event: Event) => boolean,
): Iterable<{
  readonly only: { readonly attribute: Attribute; readonly classes: readonly string[] } | null;
  readonly own: readonly History[];
}> {
  const refused = histories.flatMap(({ events }) => events.filter(early));
  for (const attribute of ['operation', 'group', 'method'] as const) {
    const classes = [...new Set(refused.map(({ exchange }) => classOf(attribute, exchange)))];
    const [name] = classes;
    if (classes.length !== 1 || name === undefined) continue;
    const own = histories.map((history) =>
      withEvents(history, (event) => (classOf(attribute, event.exchange) === name ? decided(event, early) : null)),
    );
    yield { only: { attribute, classes: [name] }, own: own.filter(({ events }) => events.length > 0) };
  }
  yield { only: null, own: histories.map((history) => withEvents(history, (event) => decided(event, early))) };
}

/** What the second limit decided: it let through what was accepted, and refused what was refused early. */
function decided(event: Event, early: (event: Event) => boolean): Event | null {
  return event.outcome === 'accepted' || early(event) ? { ...event, remaining: null, reset: null } : unclear(event);
}

/** The most requests that were accepted within a window before an early refusal. */
function mostBefore({ events }: History, early: (event: Event) => boolean, window: number): number {
  const accepted = events.filter(({ outcome }) => outcome === 'accepted');
  return Math.max(
    0,
    ...events
      .filter(early)
      .map(({ from, to }) => accepted.filter((each) => each.from <= to && each.from > from - window).length),
  );
}
