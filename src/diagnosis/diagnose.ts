import type { History } from '../oracle/history.ts';
import { priorUse } from '../oracle/prior-use.ts';
import { COUNTERS_LAST, type Shape, slides } from '../oracle/shapes.ts';
import { unlessSpent, Work, WorkSpent } from '../oracle/work.ts';
import type { Kind } from '../trace/exchange.ts';
import { clocked } from './clocked.ts';
import type { EarlierParts } from './earlier-parts.ts';
import type { Explained } from './explained.ts';
import { anyCounting, type Fit, Fitter, groupsOf } from './fit.ts';
import { type BackgroundTraffic, backgroundTraffic, besideOthers } from './others.ts';
import { bitsOfShape } from './proposal.ts';
import { letsTooManyThrough } from './too-many.ts';
import { conformingWorld, type World } from './world.ts';

/** What is known of the budgets of one kind before it is looked for what explains them. */
export interface Examined {
  /** Without deviations. */
  readonly diagnosis: KindDiagnosis;
  /** Mechanisms to look for deviations under, likely ones first; null: there is nothing to look for. */
  readonly likely: readonly Shape[] | null;
}

/** What one deployment makes of the budgets of one kind. */
export interface KindDiagnosis {
  readonly kind: Kind;
  /** The world as it was recorded. */
  readonly world: World;
  /** A conforming deployment that explains all budgets; null: none does. */
  readonly conforming: Conforming | null;
  /** Whether use of the keys by others may explain what no conforming deployment does. */
  readonly others: 'not needed' | 'explain it' | 'may explain it' | 'do not explain it';
  /** The use by others that explains it, where it was counted. */
  readonly background: (BackgroundTraffic & BitsUnder) | null;
  /** Deployments that deviate and that explain all budgets, cheapest first: no other explanation is cheaper. */
  readonly deviating: readonly Explained[];
  /** Deployments that deviate as the cheapest of the other kind do, and explain this one too, though it conforms. */
  readonly also: readonly Explained[];
  /** The work allowed was spent before all explanations were looked at. */
  readonly cut: boolean;
}

/** What use by others costs under each mechanism that it goes with, in bits, with those that the mechanism takes. */
interface BitsUnder {
  readonly bitsUnder: ReadonlyMap<Shape, number>;
}

export interface Conforming {
  readonly fit: Fit;
  /** The histories that it explains: those recorded, with what had been counted before the run where that is needed. */
  readonly histories: readonly History[];
  /** Keys that had been used before the run. */
  readonly usedBefore: readonly string[];
}

/**
 * Events that may be held against models to find a deployment that conforms, and those that it takes to see which mechanisms
 * and which use by others are likely: at some four million a second of one core.
 */
const CONFORMING_WORK = 12_000_000;
const LIKELY_WORK = 1_500_000;

/** Events that may be held against models to count the requests of others. */
const BACKGROUND_WORK = 9_000_000;

/** Events that may be looked at to examine the budgets of a kind. */
export const EXAMINING_WORK = 2 * CONFORMING_WORK + LIKELY_WORK + BACKGROUND_WORK;

/**
 * Asks of the budgets of one kind whether a conforming deployment explains them, or use by others.
 *
 * @param earlier what earlier parts of the run have refuted; more is added
 */
export function examineKind(kind: Kind, histories: readonly History[], earlier: EarlierParts): Examined {
  const world = conformingWorld(histories);
  const none = { kind, world, conforming: null, background: null, deviating: [], also: [], cut: false } as const;
  const work = new Work(CONFORMING_WORK);
  try {
    const conforming = findConforming(world, work, earlier);
    if (conforming) return { diagnosis: { ...none, conforming, others: 'not needed' }, likely: null };
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
    return { diagnosis: { ...none, others: 'may explain it', cut: true }, likely: null };
  }
  const timed = clocked(histories);
  const mechanisms = besideOthersBy({ ...world, histories: timed });
  const others = mechanisms === null || mechanisms.length > 0;
  const likely = likelyShapes(world, mechanisms ?? [], new Work(LIKELY_WORK));
  if (!others) return { diagnosis: { ...none, others: 'do not explain it' }, likely };
  const background = fewestOthers(
    timed,
    likely.filter((shape) => mechanisms?.includes(shape) ?? true),
  );
  const explained = background?.complete ? 'explain it' : 'may explain it';
  return { diagnosis: { ...none, others: explained, background }, likely };
}

/**
 * Mechanisms under which requests of others, any number of them at any time, may be all that contradicts the conforming deployments. Null
 * where the work allowed did not tell of any.
 */
function besideOthersBy(world: World): readonly Shape[] | null {
  // The markers of a sliding log or counter do not tell which requests are counted together.
  const shapes = world.histories.some(letsTooManyThrough) ? world.shapes.filter(slides) : world.shapes;
  const found: Shape[] = [];
  try {
    const beside = { ...world, histories: besideOthers(world.histories), shapes };
    for (const { shape } of new Fitter(new Work(CONFORMING_WORK)).all(beside)) found.push(shape);
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
    return found.length > 0 ? found : null;
  }
  return found;
}

function findConforming(world: World, work: Work, earlier: EarlierParts): Conforming | null {
  const fit = new Fitter(work, earlier.refuted(world.histories)).fit(world);
  if (fit) return { fit, histories: world.histories, usedBefore: [] };
  const histories = world.histories.map((history) => {
    const prior = priorUse(history);
    return prior ? { ...history, prior } : history;
  });
  const usedBefore = histories.flatMap(({ prior, key }) => (prior ? [key] : []));
  if (usedBefore.length === 0) return null;
  const before = new Fitter(work, earlier.refuted(histories)).fit({
    ...world,
    histories,
    shapes: COUNTERS_LAST.filter((shape) => world.shapes.includes(shape)),
  });
  return before && { fit: before, histories, usedBefore };
}

/**
 * The mechanisms by how many of the budgets each explains by itself: most first. Those that explain all but for requests that are missing
 * count as one budget more: most of what a deployment does wrong charges too much.
 */
function likelyShapes(world: World, besideOthers: readonly Shape[], work: Work): readonly Shape[] {
  const fitter = new Fitter(work);
  const votes = new Map<Shape, number>(world.shapes.map((shape) => [shape, Number(besideOthers.includes(shape))]));
  try {
    for (const history of world.histories) {
      for (const { shape } of fitter.all({ ...world, histories: [history] })) {
        votes.set(shape, (votes.get(shape) ?? 0) + 1);
      }
    }
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
  }
  return [...world.shapes].sort((one, other) => (votes.get(other) ?? 0) - (votes.get(one) ?? 0));
}

/** So many mechanisms tell when others used a key, and how much: those that explain most budgets without them. */
const MOST_SHAPES = 6;

/** So many of these tell it with failed requests counted in one way: the likeliest. */
const MOST_COUNTED = 2;

/** Events that may be looked at for that: few uses take few. */
const COUNTED_WORK = 1_000_000;

/** The use by others in the fewest episodes under a likely mechanism, in as many bits as under whichever takes least. */
function fewestOthers(histories: readonly History[], shapes: readonly Shape[]): KindDiagnosis['background'] {
  const work = new Work(BACKGROUND_WORK);
  const found: BackgroundTraffic[] = [];
  const bitsUnder = new Map<Shape, number>();
  let likely = 0;
  try {
    for (const [at, shape] of shapes.entries()) {
      const traffic = othersUnder(shape, histories, at < MOST_COUNTED, work);
      const priced = traffic.map((each) => ({ ...each, bits: each.bits + bitsOfShape(shape) }));
      found.push(...priced);
      if (priced.length > 0) bitsUnder.set(shape, Math.min(...priced.map(({ bits }) => bits)));
      if (at < MOST_SHAPES) likely = found.length;
    }
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
  }
  const told = least(found.slice(0, likely), ({ episodes }) => episodes.length) ?? least(found, ({ bits }) => bits);
  return told && { ...told, bits: least(found, ({ bits }) => bits)?.bits ?? told.bits, bitsUnder };
}

/**
 * The use by others under a mechanism: none where it needs no others, since then it is not they who are told by what contradicts it.
 *
 * @param counted whether it is to be looked for with failed requests counted in one way, where it needs none as long as that is open
 */
function othersUnder(
  shape: Shape,
  histories: readonly History[],
  counted: boolean,
  work: Work,
): readonly BackgroundTraffic[] {
  const groups = groupsOf(histories);
  const open = backgroundTraffic(histories, shape, anyCounting(groups), work);
  if (!open) return [];
  if (open.episodes.length > 0) return [open];
  if (!counted || groups.length === 0) return [];
  // Each budget needs no others where failed requests are counted as suits it: all of them are counted in one way.
  const own = new Work(Math.min(COUNTED_WORK, work.left));
  const inOneWay = (): readonly BackgroundTraffic[] =>
    [new Set<string>(), new Set(groups)].flatMap((failedCounted) => {
      const traffic = backgroundTraffic(histories, shape, { failedCounted, undecided: new Set<string>() }, own);
      return traffic?.episodes.length ? [traffic] : [];
    });
  return unlessSpent(inOneWay, []);
}

/** The one that has least of something, of those that explain all where there are any. */
function least(
  found: readonly BackgroundTraffic[],
  of: (traffic: BackgroundTraffic) => number,
): BackgroundTraffic | null {
  const complete = found.filter((each) => each.complete);
  const [first] = (complete.length > 0 ? complete : [...found]).sort((one, other) => of(one) - of(other));
  return first ?? null;
}
