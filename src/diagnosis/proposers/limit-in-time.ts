import { isWithin, type Stretches } from '../../deployment/deviations/other-limit.ts';
import { type Event, type History, type Range, WINDOW } from '../../oracle/history.ts';
import { phaseByMarkers } from '../../oracle/marker-phase.ts';
import type { Shape } from '../../oracle/shapes.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, isDecided, unclear, type World, withEvents } from '../world.ts';
import { chargedHere } from './charged.ts';
import { bitsOfLimit, NEVER, TOLD_BITS } from './limit.ts';
import { type LimitRange, rangesUnder, rangeTold } from './limit-ranges.ts';
import { stretchesOf } from './stretches.ts';
import { WINDOWS_BITS } from './window-limit.ts';

/** The number of mechanisms, of those that explain most budgets, under which answers are asked for their limits. */
const MOST_MECHANISMS = 3;

/** The number of ways to part the time that are tried, for one limit. */
const MOST_WAYS = 2;

/** How a deployment tells of its other limit. */
interface Telling {
  readonly rangeOf: LimitRange;
  /** Whether X-RateLimit-Limit says it. */
  readonly isTold: boolean;
  /** Whether Remaining counts down from it. */
  readonly isShown: boolean;
  /** Whether it may count refusals. This shows when the limit rises. */
  readonly refused: boolean;
}

/**
 * Another limit at some time, for all keys alike: which answers need it, and which need that of clause 8, shows when.
 * What was counted under either counts against the other, too.
 */
export function* proposeLimitsInTime(world: World, context: SearchContext): Iterable<Proposal> {
  const refuses = world.histories.some(({ events }) => events.some(({ outcome }) => outcome === 'refused'));
  for (const refused of refuses ? [false, true] : [false]) {
    yield* inTime(world, context, { rangeOf: rangeTold, isTold: true, isShown: true, refused });
    for (const shape of mechanismsOf(world, context)) {
      const ranges = rangesUnder(shape, world, refused, context.work);
      yield* inTime(world, context, { rangeOf: ranges.left, isTold: false, isShown: true, refused });
      yield* inTime(world, context, { rangeOf: ranges.decided, isTold: false, isShown: false, refused });
    }
  }
}

/** The likeliest shape of each of the likeliest mechanisms. */
function mechanismsOf(world: World, { likely }: SearchContext): readonly Shape[] {
  const able = likely.filter((shape) => world.shapes.includes(shape));
  return [...Map.groupBy(able, ({ mechanism }) => mechanism).values()]
    .flatMap(([shape]) => shape ?? [])
    .slice(0, MOST_MECHANISMS);
}

/** The proposals that follow from the limits under which each answer is given. */
function* inTime(world: World, { kind }: SearchContext, telling: Telling): Iterable<Proposal> {
  const { rangeOf, isTold, isShown, refused } = telling;
  const decided = world.histories.flatMap(({ events }) => events.filter(isDecided));
  const ranges = new Map(decided.map((event) => [event, rangeOf(event)]));
  const stated = world.histories[0]?.limit ?? 0;
  const begins = phaseByMarkers({ events: decided, unit: world.histories[0]?.unit ?? null }, WINDOW);
  const time = {
    low: decided.reduce((least, { from }) => Math.min(least, from), 0),
    high: decided.reduce((most, { to }) => Math.max(most, to), 0),
  };
  for (const limit of otherLimits([...ranges.values()], stated)) {
    const sides = new Map(decided.flatMap((event) => sideOf(event, ranges.get(event) ?? null, limit, stated)));
    const placed = [...sides].map(([{ from, to }, isOther]) => ({ from, to, isIn: isOther }));
    const shown = isShown && limit !== NEVER ? limit : stated;
    const told = { limit: limit === NEVER ? null : limit, limitHeader: isTold ? limit : stated, remainingFrom: shown };
    const limitBits = isTold ? TOLD_BITS : bitsOfLimit(limit, stated);
    for (const { stretches, bounds, bits } of stretchesOf(placed, time, begins).slice(0, MOST_WAYS)) {
      const proposal = {
        deviations: [{ operator: 'other-limit', parameters: { kind, ...told, from: stretches } }] as const,
        bits: DEVIATION_BITS + WINDOWS_BITS + bits + limitBits + Number(refused),
        ...(isTold && { isStated: true as const }),
      };
      // Only together, answers may show that it began earlier or later.
      for (const each of [stretches, ...bounds]) {
        yield {
          ...proposal,
          world: changed(world, (history) => inParts(history, { limit, shown }, sides, each, refused)),
        };
      }
    }
  }
}

/** The highest and the lowest limit that all answers allow which the stated one does not give. */
function otherLimits(ranges: readonly (Range | null)[], stated: number): ReadonlySet<number> {
  const needed = ranges.flatMap((range) => (range && !isIn(stated, range) ? range : []));
  const low = needed.reduce((most, range) => Math.max(most, range.low), 0);
  const high = needed.reduce((least, range) => Math.min(least, range.high), NEVER);
  const isAny = needed.length > 0 && low <= high;
  return new Set((isAny ? [high, low] : []).filter((limit) => limit >= 1 && limit !== stated));
}

function isIn(limit: number, { low, high }: Range): boolean {
  return limit >= low && limit <= high;
}

/** Whether an answer needs the other limit (true) or the stated one; none if both give it. */
function sideOf(
  event: Event,
  range: Range | null,
  limit: number,
  stated: number,
): readonly (readonly [Event, boolean])[] {
  if (!range) return [];
  if (!isIn(stated, range)) return [[event, true]];
  return isIn(limit, range) ? [] : [[event, false]];
}

/**
 * The history under each of the two limits. What was decided under the other one is counted, as far as it was, and
 * nothing else about it is judged.
 *
 * @param refused whether refusals may be counted, too: this shows when the limit rises
 */
function inParts(
  history: History,
  other: Pick<History, 'limit' | 'shown'>,
  sides: ReadonlyMap<Event, boolean>,
  stretches: Stretches,
  refused: boolean,
): readonly History[] {
  const isOther = (event: Event): boolean | null => {
    const known = sides.get(event);
    if (known !== undefined) return known;
    const first = isWithin(stretches, event.from);
    return first === isWithin(stretches, event.to) ? first : null;
  };
  const part = (which: boolean): History =>
    withEvents(history, (event) => {
      if (event.outcome === 'unclear' || isOther(event) === which) return event;
      if (event.outcome === 'refused') return refused ? unclear(event) : null;
      return chargedHere(event, event.outcome === 'accepted');
    });
  const [stated, changed] = [part(false), part(true)];
  const isAsked = ({ events }: History): boolean => events.some(isDecided);
  return [
    ...(isAsked(changed) ? [{ ...changed, ...other }] : []),
    ...(isAsked(stated) || !isAsked(changed) ? [stated] : []),
  ];
}
