import type { MarkerHeader } from '../deployment/deviations/marker-header.ts';
import type { Deviation } from '../deployment/operators.ts';
import { explainsFrom } from '../oracle/explain.ts';
import type { History, Range } from '../oracle/history.ts';
import { type Shape, variantOf } from '../oracle/shapes.ts';
import type { Work } from '../oracle/work.ts';
import { bitsUnder } from './coincidence.ts';
import type { Fit } from './fit.ts';
import { bitsOfShape, MOMENT_BITS, type Proposal, type Proposer, type SearchContext } from './proposal.ts';
import type { World } from './world.ts';

/** A deviating deployment that explains a run, with its deviations from the specification. */
export interface Explained {
  readonly deviations: readonly Deviation[];
  /** Its description length in bits. */
  readonly bits: number;
  readonly world: World;
  /** Null if the proposer itself has compared the deviation with all histories. */
  readonly fit: Fit | null;
  /** The mechanism under which it explains everything; null if it does so under any. */
  readonly shape: Shape | null;
  /** The proposer; of a pair, that of the second. */
  readonly by?: Proposer;
  /** Those of its bits that state a coincidence (`coincidence.ts`); absent: none. */
  readonly coincidence?: number;
}

/** The explanation of the whole run by these deviations, under some mechanism; null if they do not explain it. */
export function hold({ deviations, bits, world, explained }: Proposal, context: SearchContext): Explained | null {
  const cheapest = explained ? null : cheapestFit(world, context);
  if (!cheapest && !explained) return null;
  const fit = cheapest?.fit ?? null;
  const shape = fit?.shape ?? explained?.shape ?? null;
  const coincidence = fit ? bitsUnder(fit.shape, world, context.work, true) : 0;
  const own = cheapest ? cheapest.price + coincidence : shapeBits({ shape });
  return { deviations, bits: bits + own, world, fit, shape, ...(coincidence > 0 && { coincidence }) };
}

/** A fit, and the bits to state its mechanism and its phases. */
interface Priced {
  readonly fit: Fit;
  readonly price: number;
}

/** The simplest fit; or windows that requests begin, which need no phases, if these take fewer bits. */
function cheapestFit(world: World, { fitter, work }: Pick<SearchContext, 'fitter' | 'work'>): Priced | null {
  const fit = fitter.simplest(world);
  if (!fit) return null;
  const simplest = priced(fit, world, work);
  if (simplest.price === shapeBits(fit)) return simplest;
  const shapes = world.shapes.filter(({ mechanism }) => mechanism === 'anchored');
  const begun = fitter.fit({ ...world, shapes });
  const other = begun && priced(begun, world, work);
  return other && other.price < simplest.price ? other : simplest;
}

function priced(fit: Fit, world: World, work: Work): Priced {
  return { fit, price: shapeBits(fit) + bitsOfPhases(fit, world, work) };
}

/**
 * Bits to state the phases of grids of one budget beyond its first: a deviation may part the history of a budget, and
 * then each part could have windows of its own.
 */
function bitsOfPhases(fit: Fit, world: World, work: Work): number {
  const variant = variantOf(fit.shape, fit.choice);
  return (
    MOMENT_BITS *
    otherPhases(
      fit,
      world,
      ({ key }) => key,
      (history, start) => explainsFrom(start, variant, history, world.layers, world.window, work),
    )
  );
}

/**
 * Bits to state the phases of budgets beyond the first, where no marker tells them: each budget may have a phase of its
 * own, which also fits what others took of it.
 */
export function bitsOfUntoldPhases({ fit, world }: Pick<Explained, 'fit' | 'world'>): number {
  const isTold = world.histories.some(({ events }) => events.some(({ reset }) => reset !== null));
  if (!fit || (isTold && fit.shape.marker === undefined)) return 0;
  return MOMENT_BITS * otherPhases(fit, world, () => '');
}

/**
 * How many budgets have another phase than the one with most requests in their group.
 *
 * @param mayBegin whether something explains a budget if its windows begin within a range
 */
function otherPhases(
  { explanations }: Fit,
  { histories, window }: World,
  groupOf: (history: History) => string,
  mayBegin: (history: History, start: Range) => boolean = () => false,
): number {
  const known = explanations.flatMap(({ phase, origin }, at) => {
    const history = histories[at];
    return phase && history ? [{ history, start: { low: origin + phase.low, high: origin + phase.high } }] : [];
  });
  const groups = Map.groupBy(known, ({ history }) => groupOf(history));
  return [...groups.values()].reduce((sum, group) => {
    const most = group.reduce((one, each) => (each.history.events.length > one.history.events.length ? each : one));
    const besides = (start: Range): typeof group => {
      const same = { low: start.low - SAME_PHASE, high: start.high + SAME_PHASE };
      return group.filter((each) => !isSame(start, each.start, window) && !mayBegin(each.history, same));
    };
    const others = besides(most.start);
    // The phase of one that most requests do not share may be known better.
    const [other] = others;
    return sum + Math.min(others.length, other ? besides(other.start).length : 0);
  }, 0);
}

function isSame(one: Range, other: Range, window: number): boolean {
  const apart = Math.abs(one.low + one.high - other.low - other.high) / 2;
  return Math.min(apart % window, window - (apart % window)) <= SAME_PHASE;
}

/** Phases that differ by less are one, in µs: clocks may tick in seconds, and drift. */
const SAME_PHASE = 1_100_000;

/** The deviations of an explanation together, and each by itself. */
export function partsOf({ deviations }: Explained): readonly (readonly Deviation[])[] {
  return [deviations, ...deviations.map((each) => [each])];
}

/** Bits to state the mechanism under which a deviation explains everything; none if it does so under any. */
export function shapeBits({ shape }: Pick<Explained, 'shape'>): number {
  return shape ? bitsOfShape(shape) : 0;
}

/**
 * Whether it is a header that follows no rule. Such a deviation explains any value, so it is never part of a pair and
 * never better than another explanation.
 */
export function followsNoRule({ operator, parameters }: Deviation): boolean {
  if (operator === 'marker-header') return isOfNoWindow(parameters.change);
  return (
    operator === 'remaining-header' && (parameters.change === 'no rule' || parameters.change === 'another request')
  );
}

/** Whether markers are not held against the windows. */
function isOfNoWindow(change: MarkerHeader['change']): boolean {
  if (typeof change !== 'object') return change === 'no rule' || change === 'goes back';
  return 'multiplesOf' in change || ('clock' in change && change.clock === null);
}
