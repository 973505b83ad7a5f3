import { LIMITS } from '../catalogue/limits.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { limitRequirements } from '../deployment/operator.ts';
import { breaks, mayShow } from '../deployment/operators.ts';
import type { ClockStep } from '../oracle/clock-step.ts';
import type { History } from '../oracle/history.ts';
import type { Shape } from '../oracle/shapes.ts';
import { unlessSpent, Work } from '../oracle/work.ts';
import { type Exchange, type Kind, otherThan } from '../trace/exchange.ts';
import { bitsOfConforming, withCoincidence } from './coincidence.ts';
import { type Conforming, EXAMINING_WORK, examineKind, type KindDiagnosis } from './diagnose.ts';
import { EarlierParts } from './earlier-parts.ts';
import { explainKinds } from './explain-kinds.ts';
import { type Explained, followsNoRule } from './explained.ts';
import { Fitter } from './fit.ts';
import { lead, respentBits } from './lead.ts';
import { CHANCE_BITS, chanceBits, FINAL_BITS } from './needed-lead.ts';
import { letsTooManyThrough } from './not-by-others.ts';
import { bitsOfShape, DEVIATION_BITS } from './proposal.ts';
import { inCommon } from './same-rule.ts';
import { SEARCH_WORK } from './search.ts';
import { conformingWorld, limitTold } from './world.ts';

/** How deployments explain the reads and the writes of a run. */
export interface RunDiagnosis {
  readonly kinds: readonly KindRuling[];
}

/** The decision about the budgets of one kind. */
export interface KindRuling {
  readonly diagnosis: KindDiagnosis;
  /**
   * - `conforms`: a conforming deployment explains everything
   * - `deviates`: none does, but deviating deployments explain everything: `minimal`
   * - `unexplained`: none does, no use by others can explain it, and no deviation that was tried explains everything
   * - `open`: use of the keys by others explains it as well as anything else, or the bound of work was reached
   */
  readonly outcome: 'conforms' | 'deviates' | 'unexplained' | 'open';
  /**
   * The cheapest deviating explanations, all within the margin of the cheapest; empty unless the outcome is `deviates`.
   */
  readonly minimal: readonly Explained[];
  /**
   * If it is open: a deviation that takes fewer bits than use by others, but not so many fewer that it cannot be
   * chance.
   */
  readonly likelier?: Explained;
  /** If it is open because the clock of the deployment was set in mid-run: when. */
  readonly clockStep?: ClockStep;
  /** Requirements that all of these break, and those that only some break. */
  readonly broken: ReadonlySet<RequirementId>;
  readonly disputed: ReadonlySet<RequirementId>;
  /** Whether no later answer can restore a conforming explanation of the run. */
  readonly final: boolean;
}

/** Options of a diagnosis. */
export interface Asked {
  /**
   * False: only decide whether limits are broken for good, without a search for the deviation if that cannot be
   * decided.
   */
  readonly named?: boolean;
  /** Findings about earlier parts of the same run; new ones are added. */
  readonly earlier?: EarlierParts;
  /** Is told which share of the possible work is done or not needed: from 0 to 1, rising. */
  readonly onShare?: (share: number) => void;
}

/**
 * Diagnoses all budgets of a run. What both kinds share is paid for once: if an explanation of one kind also fits the
 * other, it costs no second deviation.
 */
export function diagnoseRun(
  histories: readonly History[],
  anonymous: readonly Exchange[],
  { named = true, earlier = new EarlierParts(), onShare = () => {} }: Asked = {},
): RunDiagnosis {
  const of = (kind: Kind) => histories.filter((history) => history.kind === kind && history.events.length > 0);
  const kinds = (['read', 'write'] as const).filter((kind) => of(kind).length > 0);
  let done = 0;
  const onWork = (events: number): void => {
    done += events;
    onShare(Math.min(1, done / (kinds.length * (EXAMINING_WORK + SEARCH_WORK))));
  };
  const examined = kinds.map((kind) => {
    const found = examineKind(kind, of(kind), of(otherThan(kind)), earlier);
    onWork(EXAMINING_WORK);
    return named ? withCoincidence(found) : found;
  });
  const searches = named || mayBeFinal(examined.map(({ diagnosis }) => diagnosis));
  const drawn = histories.filter(({ events }) => events.length > 0);
  const diagnoses = searches
    ? explainKinds(examined, drawn, anonymous, onWork, named ? null : { isEnough: isFinal, earlier })
    : examined.map(({ diagnosis }) => diagnosis);
  onShare(1);
  return {
    kinds: diagnoses.map((each, at) => rule(each, others(diagnoses, at))),
  };
}

function others(diagnoses: readonly KindDiagnosis[], at: number): readonly KindDiagnosis[] {
  return diagnoses.filter((_, index) => index !== at);
}

/** Whether the lead over use by others, of an explanation of the kind at an index, is final. */
function isFinal(diagnoses: readonly KindDiagnosis[], at: number, explained: Explained): boolean {
  const diagnosis = diagnoses[at];
  return diagnosis !== undefined && isSettled(explained, lead(diagnosis, others(diagnoses, at), explained).least);
}

/**
 * Whether nothing later can undo a lead over use by others. Counts that are lost once look like the end of a window
 * whose marker is wrong: only what comes later tells one from the other.
 */
function isSettled({ deviations }: Explained, least: number): boolean {
  return least > FINAL_BITS && !deviations.some(({ operator }) => operator === 'counters-lost');
}

/**
 * Whether the lead of a deviation over use by others can become final: not if little use by others explains everything.
 * If no use by others explains it, this alone is final.
 */
function mayBeFinal(diagnoses: readonly KindDiagnosis[]): boolean {
  if (diagnoses.some(({ others }) => others === 'do not explain it')) return false;
  const bits = diagnoses.map(({ others, background, world }) =>
    others === 'not needed'
      ? 0
      : respentBits(world.histories) + (background?.complete ? background.bits : Number.POSITIVE_INFINITY),
  );
  return bits.reduce((sum, each) => sum + each, 0) > FINAL_BITS + DEVIATION_BITS;
}

/** What holds of a decision that names nothing. */
export function undecided(diagnosis: KindDiagnosis): Omit<KindRuling, 'outcome'> {
  return { diagnosis, minimal: [], broken: new Set(), disputed: new Set(), final: false };
}

function rule(diagnosis: KindDiagnosis, others: readonly KindDiagnosis[]): KindRuling {
  const none = undecided(diagnosis);
  const { conforming } = diagnosis;
  if (conforming && !conforming.coincidence) return { ...none, outcome: 'conforms' };
  const known = mechanismsOf(others, diagnosis.deviating);
  // Answers that state another limit are one more deviation, unless the explanation says why they do.
  const isTold = tellsAnotherLimit(diagnosis);
  const priced = diagnosis.deviating
    .map((each) => ({
      each,
      bits:
        each.bits +
        (isTold && !saysLimit(each) ? DEVIATION_BITS : 0) -
        ((each.shape && known.get(each.shape)) ?? 0) +
        others.reduce((sum, other) => sum + bitsBeside(other, each), 0),
    }))
    .sort((one, other) => one.bits - other.bits);
  const [cheapest] = priced;
  if (!cheapest) {
    if (conforming) return { ...none, outcome: 'conforms' };
    const alone = diagnosis.others === 'do not explain it';
    return { ...none, outcome: alone ? 'unexplained' : 'open', final: alone };
  }
  const minimal = priced.filter(({ bits }) => bits <= cheapest.bits + TIE_BITS).map(({ each }) => each);
  const { bits, least } = lead(diagnosis, others, cheapest.each);
  if (conforming && bits <= FINAL_BITS) {
    return bits > CHANCE_BITS
      ? { ...none, outcome: 'open', likelier: cheapest.each }
      : { ...none, outcome: 'conforms' };
  }
  if (!(bits > chanceBits(cheapest.each, diagnosis.world))) {
    const isLikelier = bits > 0 && cheapest.each.deviations.length === 1;
    return { ...none, outcome: 'open', ...(isLikelier ? { likelier: cheapest.each } : {}) };
  }
  const sets = minimal.map((each) => brokenBy(each, diagnosis));
  const broken = inEach(sets);
  const all = sets.flatMap((set) => [...set]);
  return {
    diagnosis,
    outcome: 'deviates',
    minimal,
    broken,
    disputed: new Set(all.filter((id) => !broken.has(id))),
    final: isSettled(cheapest.each, least),
  };
}

/**
 * Bits to state why the budgets of another kind deviate, given this explanation of the first kind: each deviation that
 * both have is stated once.
 */
function bitsBeside({ conforming, deviating }: KindDiagnosis, { deviations }: Explained): number {
  const each = deviating.map((other) => other.bits - inCommon(other.deviations, deviations) * DEVIATION_BITS);
  if (conforming?.coincidence) each.push(bitsOfConforming(conforming));
  return each.length === 0 ? 0 : Math.min(...each);
}

/** Whether some answer states another limit. */
function tellsAnotherLimit({ kind, world }: KindDiagnosis): boolean {
  return world.histories.some(({ events }) =>
    events.some((event) => (limitTold(event) ?? LIMITS[kind]) !== LIMITS[kind]),
  );
}

/** Whether an explanation says why answers state another limit. */
function saysLimit({ deviations }: Explained): boolean {
  return deviations.some((each) => [...breaks(each), ...mayShow(each)].includes('HDR-3'));
}

/**
 * The mechanisms of explanations that also explain another, conforming kind, and the bits of that kind's simplest one.
 * A deployment usually has one mechanism for both, so these need not be stated beside the other's.
 */
function mechanismsOf(
  others: readonly KindDiagnosis[],
  explanations: readonly Explained[],
): ReadonlyMap<Shape, number> {
  const shapes = [...new Set(explanations.flatMap(({ shape }) => shape ?? []))];
  return new Map(
    others.flatMap(({ conforming }) =>
      conforming && !conforming.coincidence
        ? shapes.flatMap((shape) =>
            isExplainedBy(conforming, shape) ? [[shape, bitsOfShape(conforming.fit.shape)] as const] : [],
          )
        : [],
    ),
  );
}

function isExplainedBy({ fit, histories }: Conforming, shape: Shape): boolean {
  if (shape === fit.shape) return true;
  const world = { ...conformingWorld(histories), shapes: [shape] };
  return unlessSpent(() => new Fitter(new Work(BESIDE_WORK)).fit(world) !== null, false);
}

/** Bound of work to see whether one mechanism explains what conforms, in events. */
const BESIDE_WORK = 1_000_000;

/**
 * The requirements that an explanation breaks. A race that lets more requests through than the limit breaks the limit,
 * too. A Remaining without a rule beside a race may be that of the race.
 */
function brokenBy({ deviations }: Explained, { kind, world }: KindDiagnosis): ReadonlySet<RequirementId> {
  const isRace = deviations.some((each) => breaks(each).includes('LIMIT-ATOMIC'));
  const known = isRace ? deviations.filter((each) => !followsNoRule(each)) : deviations;
  const broken = known.flatMap((each) => breaks(each));
  const over = broken.includes('LIMIT-ATOMIC') && world.histories.some(letsTooManyThrough);
  return new Set([...broken, ...(over ? limitRequirements([kind]) : [])]);
}

function inEach(sets: readonly ReadonlySet<RequirementId>[]): ReadonlySet<RequirementId> {
  return new Set([...(sets[0] ?? [])].filter((id) => sets.every((set) => set.has(id))));
}

/**
 * Deviating explanations within this many bits of the cheapest count as equally good: the cheapest is less than twice
 * as likely.
 */
const TIE_BITS = 1;
