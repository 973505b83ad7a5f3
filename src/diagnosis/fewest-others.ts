import { anyCounting, groupsOf } from '../oracle/failed-groups.ts';
import type { History } from '../oracle/history.ts';
import { type Choice, type Shape, variantOf } from '../oracle/shapes.ts';
import { unlessSpent, Work, WorkSpent } from '../oracle/work.ts';
import { narrowed } from './moments.ts';
import { type BackgroundTraffic, type Beaten, backgroundTraffic, priceOf } from './others.ts';
import { bitsOfShape } from './proposal.ts';

/** The use by others with the fewest requests; its bits, and those under each mechanism, include the mechanism's. */
export interface FewestOthers extends BackgroundTraffic {
  readonly bitsUnder: ReadonlyMap<Shape, number>;
}

/** Bound of work to count the requests of others, in events. */
export const BACKGROUND_WORK = 4_000_000;

/**
 * The number of mechanisms with which it is determined for one fixed way of counting failed requests: the likeliest.
 */
const MOST_COUNTED = 2;

/** Bound of work for this, in events. A small use by others needs little. */
const COUNTED_WORK = 1_000_000;

/** Bound of work to find when the use by others can have come, in events. */
const NARROWING_WORK = 2_000_000;

/** Use by others that was found under a mechanism, and the way of counting failed requests. */
interface Found {
  readonly shape: Shape;
  readonly choice: Choice;
  /** Its bits include those of the mechanism. */
  readonly traffic: BackgroundTraffic;
}

/** The use by others with the fewest requests under any mechanism, with the fewest bits under any. */
export function fewestOthers(histories: readonly History[], shapes: readonly Shape[]): FewestOthers | null {
  const work = new Work(BACKGROUND_WORK);
  const found: Found[] = [];
  try {
    for (const [at, shape] of shapes.entries()) {
      const price = bitsOfShape(shape);
      const isBeaten: Beaten = (more) => {
        return found.some(
          ({ traffic }) => traffic.complete && traffic.requests < more.requests && traffic.bits < more.bits + price,
        );
      };
      for (const each of othersUnder(shape, histories, at < MOST_COUNTED, isBeaten, work)) {
        found.push({ ...each, traffic: { ...each.traffic, bits: each.traffic.bits + price } });
      }
    }
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
  }
  const told = least(found, ({ requests }) => requests);
  if (!told) return null;
  const priced = withCheapestNarrowed(found, histories);
  const bits = least(priced, (traffic) => traffic.bits)?.traffic.bits ?? told.traffic.bits;
  const byShape = Map.groupBy(priced, ({ shape }) => shape);
  const bitsUnder = new Map(
    [...byShape].map(([shape, own]) => [shape, Math.min(...own.map(({ traffic }) => traffic.bits))]),
  );
  return { ...told.traffic, bits, bitsUnder };
}

/**
 * The same, with the price that use by others has if it came only when the answers allow: for the cheapest, until what
 * is cheapest then has this price.
 */
function withCheapestNarrowed(found: readonly Found[], histories: readonly History[]): readonly Found[] {
  const work = new Work(NARROWING_WORK);
  const priced = [...found];
  const isDone = new Set<Found>();
  for (;;) {
    const cheapest = least(priced, ({ bits }) => bits);
    if (!cheapest?.traffic.complete || isDone.has(cheapest)) return priced;
    const { shape, choice, traffic } = cheapest;
    const episodes = narrowed(traffic.episodes, histories, variantOf(shape, choice), work);
    const bits = traffic.bits + priceOf(episodes, histories) - priceOf(traffic.episodes, histories);
    const one = { ...cheapest, traffic: { ...traffic, bits } };
    isDone.add(one);
    priced[priced.indexOf(cheapest)] = one;
  }
}

/**
 * The use by others under a mechanism; null if the mechanism needs none, because then the contradictions do not show
 * use by others.
 *
 * @param counted whether to search with one fixed way of counting failed requests, if none is needed while the way is
 * open
 */
function othersUnder(
  shape: Shape,
  histories: readonly History[],
  counted: boolean,
  isBeaten: Beaten,
  work: Work,
): readonly Found[] {
  const groups = groupsOf(histories);
  const under = (choice: Choice, bound: Work): readonly Found[] => {
    const traffic = backgroundTraffic(histories, shape, choice, bound, isBeaten);
    return traffic?.episodes.length ? [{ shape, choice, traffic }] : [];
  };
  const open = under(anyCounting(groups), work);
  if (open.length > 0 || !counted || groups.length === 0) return open;
  // Each budget may need no others with its own way of counting failed requests. Now all must share one way.
  const own = new Work(Math.min(COUNTED_WORK, work.left));
  const inOneWay = (): readonly Found[] =>
    [new Set<string>(), new Set(groups)].flatMap((failedCounted) =>
      under({ failedCounted, undecided: new Set<string>() }, own),
    );
  return unlessSpent(inOneWay, []);
}

/** The element with the least value, among those that explain everything if there are any. */
function least(found: readonly Found[], of: (traffic: BackgroundTraffic) => number): Found | null {
  const complete = found.filter(({ traffic }) => traffic.complete);
  const [first] = (complete.length > 0 ? complete : [...found]).sort(
    (one, other) => of(one.traffic) - of(other.traffic),
  );
  return first ?? null;
}
