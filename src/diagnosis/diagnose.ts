import type { History, Range } from '../oracle/history.ts';
import { COUNTERS_LAST, type Shape, slides } from '../oracle/shapes.ts';
import { unlessSpent, Work, WorkSpent } from '../oracle/work.ts';
import type { Kind } from '../trace/exchange.ts';
import { besideOthers } from './beside-others.ts';
import { clocked } from './clocked.ts';
import type { EarlierParts } from './earlier-parts.ts';
import type { Explained } from './explained.ts';
import { BACKGROUND_WORK, type FewestOthers, fewestOthers } from './fewest-others.ts';
import type { Fit } from './fit.ts';
import { Fitter } from './fitter.ts';
import { CHANCE_BITS } from './needed-lead.ts';
import { acceptsAfterRefusals, letsTooManyThrough } from './not-by-others.ts';
import { DEVIATION_BITS } from './proposal.ts';
import { findSteps, type Stepped, stepsBesideOthers } from './stepped.ts';
import { keysUsedBefore, usedBefore } from './used-before.ts';
import { conformingWorld, limitTold, type World } from './world.ts';

/** What is known about the budgets of one kind before the search for deviations. */
export interface Examined {
  /** Without deviations. */
  readonly diagnosis: KindDiagnosis;
  /** Mechanisms under which to search for deviations, likely ones first; null: no search is needed. */
  readonly likely: readonly Shape[] | null;
}

/** How deployments explain the budgets of one kind. */
export interface KindDiagnosis {
  readonly kind: Kind;
  /** The histories as recorded. */
  readonly world: World;
  /** A conforming deployment that explains all budgets; null: none does. */
  readonly conforming: Conforming | null;
  /** Whether use of the keys by others can explain what no conforming deployment explains. */
  readonly others: 'not needed' | 'explain it' | 'may explain it' | 'do not explain it';
  /** The use by others that explains it, if its requests were counted. */
  readonly background: FewestOthers | null;
  /** The keys whose budget no mechanism explains even by itself, as far as was examined. */
  readonly unexplained: readonly string[];
  /** Whether deviations were searched for. */
  readonly isSearched: boolean;
  /** Deviating deployments that explain all budgets, cheapest first. No other explanation is cheaper. */
  readonly deviating: readonly Explained[];
  /**
   * Deviating deployments that explain this conforming kind too, by the deviations of the cheapest explanation of the
   * other kind.
   */
  readonly also: readonly Explained[];
  /** The bound of work was reached before all explanations were examined. */
  readonly cut: boolean;
}

export interface Conforming {
  readonly fit: Fit;
  /** The histories that it explains: those recorded, with use before the run if needed. */
  readonly histories: readonly History[];
  /** Keys that were used before the run. */
  readonly usedBefore: readonly string[];
  /** A lower limit that explains everything without any use before the run; absent: none does. */
  readonly orLimit?: number;
  /** Bits of the coincidence on which it rests (`coincidence.ts`), or to state its steps; absent: none. */
  readonly coincidence?: number;
  /** If the window slides in steps: how long one may be, in µs. */
  readonly step?: Range;
}

/**
 * Bound of work to find a conforming deployment, and to see which mechanisms and which use by others are likely. In
 * events that are compared with models: one core compares some four million a second.
 */
const CONFORMING_WORK = 12_000_000;
const LIKELY_WORK = 1_500_000;

/** Bound of work to see whether a lower limit explains what use before the run does, in events. */
const LOWER_WORK = 1_500_000;

/** Bound of work to examine the budgets of a kind, in events. */
export const EXAMINING_WORK = 4 * CONFORMING_WORK + 2 * LIKELY_WORK + 2 * BACKGROUND_WORK;

/**
 * Decides whether a conforming deployment, or use by others, explains the budgets of one kind.
 *
 * @param earlier what earlier parts of the run have refuted; new findings are added
 */
export function examineKind(
  kind: Kind,
  histories: readonly History[],
  otherKind: readonly History[],
  earlier: EarlierParts,
): Examined {
  const world = conformingWorld(histories);
  const nothing = { isSearched: false, deviating: [], also: [], cut: false, unexplained: [] } as const;
  const none = { kind, world, conforming: null, background: null, ...nothing } as const;
  const work = new Work(CONFORMING_WORK);
  try {
    const fit = new Fitter(work, earlier.refuted(histories)).fit(world);
    const limited = fit === null && isLimitedAsTold(world, work);
    const before = fit ? null : usedBefore(world);
    const plain = fit && { fit, histories, usedBefore: [] };
    const conforming = plain ?? (before && !limited ? findUsedBefore(world, before, work, earlier) : null);
    if (conforming) return { diagnosis: { ...none, conforming, others: 'not needed' }, likely: null };
    for (const each of [world, ...(before ? [{ ...world, histories: before }] : [])]) {
      const stepped = unlessSpent(() => findSteps(each, new Fitter(new Work(CONFORMING_WORK))), null);
      if (stepped) return examinedInSteps(none, stepped);
    }
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
    return { diagnosis: { ...none, others: 'may explain it', cut: true }, likely: null };
  }
  const timed = clocked(histories);
  const stepped = unlessSpent(
    () => stepsBesideOthers({ ...world, histories: timed }, new Fitter(new Work(LIKELY_WORK))),
    undefined,
  );
  const mechanisms = besideOthersBy({ ...world, histories: timed }, otherKind);
  const others = mechanisms === null || mechanisms.length > 0 || stepped !== null;
  const { likely, unexplained } = likelyShapes(world, mechanisms ?? [], new Work(LIKELY_WORK));
  if (!others) return { diagnosis: { ...none, others: 'do not explain it', unexplained }, likely };
  const background = fewer(
    fewestOthers(
      timed,
      likely.filter((shape) => mechanisms?.includes(shape) ?? true),
    ),
    stepped ? fewestOthers(stepped.histories, stepped.shapes) : null,
  );
  const explained = background?.complete ? 'explain it' : 'may explain it';
  return { diagnosis: { ...none, others: explained, background, unexplained }, likely };
}

/** The use by others that takes fewer bits, if both are counted; else the one that is. */
function fewer(one: FewestOthers | null, other: FewestOthers | null): FewestOthers | null {
  if (!one?.complete || !other?.complete) return one?.complete ? one : (other ?? one);
  return other.bits < one.bits ? other : one;
}

/**
 * What is known of budgets that a sliding window in steps explains. Deviations that say it shortly may be likelier,
 * unless the steps of both kinds take fewer bits than any that leads.
 */
function examinedInSteps(diagnosis: Omit<KindDiagnosis, 'others'>, { fit, histories, step, bits }: Stepped): Examined {
  const isShort = 2 * bits < DEVIATION_BITS + CHANCE_BITS;
  const known = { fit, histories, usedBefore: keysUsedBefore(histories), step };
  const conforming = isShort ? known : { ...known, coincidence: bits };
  const likely = isShort ? null : diagnosis.world.shapes;
  return { diagnosis: { ...diagnosis, conforming, others: 'not needed' }, likely };
}

/**
 * Mechanisms under which any number of requests of others, at any time, would explain every contradiction. Null if the
 * bound of work left it open.
 */
function besideOthersBy(world: World, otherKind: readonly History[]): readonly Shape[] | null {
  const { histories } = world;
  // Markers of a sliding log or counter do not show which requests are counted together.
  const isFixed = !histories.some(letsTooManyThrough) && !acceptsAfterRefusals(histories, otherKind);
  const shapes = isFixed ? world.shapes : world.shapes.filter(slides);
  const found: Shape[] = [];
  try {
    const beside = { ...world, histories: besideOthers(histories), shapes };
    for (const { shape } of new Fitter(new Work(CONFORMING_WORK)).all(beside)) found.push(shape);
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
    return found.length > 0 ? found : null;
  }
  return found;
}

/**
 * A conforming deployment that explains the budgets with what was counted before them.
 *
 * @param histories those of the world, with that
 */
function findUsedBefore(
  world: World,
  histories: readonly History[],
  work: Work,
  earlier: EarlierParts,
): Conforming | null {
  const keys = keysUsedBefore(histories);
  const fit = new Fitter(work, earlier.refuted(histories)).fit({
    ...world,
    histories,
    shapes: COUNTERS_LAST.filter((shape) => world.shapes.includes(shape)),
  });
  if (!fit) return null;
  const orLimit = keys.length > 0 ? limitAsLeft(world) : null;
  return { fit, histories, usedBefore: keys, ...(orLimit !== null && { orLimit }) };
}

/**
 * The most that any answer leaves, with its own request, if it is less than the limit and explains the budgets as a
 * limit, so that nobody need have used them before the run. Null if it does not, or if no budget was exhausted: such a
 * run tests no limit, and may follow other use of the keys within a minute.
 */
function limitAsLeft(world: World): number | null {
  if (!world.histories.some(({ events }) => events.some(({ outcome }) => outcome === 'refused'))) return null;
  const limit = world.histories.reduce((most, { events }) => {
    return events.reduce((own, { outcome, remaining }) => {
      return Math.max(own, remaining === null ? 0 : remaining + Number(outcome === 'accepted'));
    }, most);
  }, 0);
  if (limit === 0 || world.histories.some((history) => history.limit <= limit)) return null;
  return unlessSpent(() => isExplainedBy(limit, world, new Work(LOWER_WORK)), false) ? limit : null;
}

/** Whether another limit, which all answers state, explains the budgets. Then use before the run need not. */
function isLimitedAsTold(world: World, work: Work): boolean {
  const told = world.histories.flatMap(({ events }) =>
    events.flatMap((event) => (event.outcome === 'accepted' ? (limitTold(event) ?? []) : [])),
  );
  const [limit] = told;
  if (limit === undefined || told.some((each) => each !== limit)) return false;
  if (world.histories.every((history) => history.limit === limit)) return false;
  return isExplainedBy(limit, world, work);
}

/** Whether this limit explains the budgets, if they are counted down from it. */
function isExplainedBy(limit: number, world: World, work: Work): boolean {
  const histories = world.histories.map((history) => ({ ...history, limit, shown: limit }));
  return new Fitter(work).fit({ ...world, histories }) !== null;
}

/**
 * The mechanisms, ordered by how many of the budgets each explains by itself, most first, and the keys of which none
 * explains the budget. If only missing requests contradict a mechanism, this counts as one more budget, because most
 * faults charge too much.
 */
function likelyShapes(
  world: World,
  besideOthers: readonly Shape[],
  work: Work,
): { readonly likely: readonly Shape[]; readonly unexplained: readonly string[] } {
  const fitter = new Fitter(work);
  const votes = new Map<Shape, number>(world.shapes.map((shape) => [shape, Number(besideOthers.includes(shape))]));
  const unexplained: string[] = [];
  try {
    for (const history of world.histories) {
      let isExplained = false;
      for (const { shape } of fitter.all({ ...world, histories: [history] })) {
        votes.set(shape, (votes.get(shape) ?? 0) + 1);
        isExplained = true;
      }
      if (!isExplained) unexplained.push(history.key);
    }
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
  }
  const likely = [...world.shapes].sort((one, other) => (votes.get(other) ?? 0) - (votes.get(one) ?? 0));
  return { likely, unexplained };
}
