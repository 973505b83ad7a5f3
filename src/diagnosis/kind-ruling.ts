import { LIMITS } from '../catalogue/limits.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { limitRequirements } from '../deployment/operator.ts';
import { breaks, mayShow } from '../deployment/operators.ts';
import type { ClockStep } from '../oracle/clock-step.ts';
import type { History } from '../oracle/history.ts';
import type { Shape } from '../oracle/shapes.ts';
import { unlessSpent, Work } from '../oracle/work.ts';
import { bitsOfConforming } from './coincidence.ts';
import type { Conforming, KindDiagnosis } from './diagnose.ts';
import { type Explained, followsNoRule } from './explained.ts';
import { isSettled } from './final.ts';
import { Fitter } from './fitter.ts';
import { lead } from './lead.ts';
import { CHANCE_BITS, chanceBits, FINAL_BITS } from './needed-lead.ts';
import { letsTooManyThrough } from './not-by-others.ts';
import { bitsOfShape, DEVIATION_BITS } from './proposal.ts';
import { bitsInCommon } from './shared-bits.ts';
import { conformingWorld, limitTold, type World } from './world.ts';

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

/** What holds of a decision that names nothing. */
export function undecided(diagnosis: KindDiagnosis): Omit<KindRuling, 'outcome'> {
  return { diagnosis, minimal: [], broken: new Set(), disputed: new Set(), final: false };
}

/**
 * What decides about the budgets of a kind: a conforming deployment, if one explains them, else the cheapest deviating
 * explanations, if they lead use by others by enough.
 *
 * @param others the diagnoses of the other kinds: what both share is paid for once
 */
export function rule(diagnosis: KindDiagnosis, others: readonly KindDiagnosis[]): KindRuling {
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
  const each = deviating.map((other) => other.bits - bitsInCommon(other.deviations, deviations));
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
  const isAlone = deviations.length === 1;
  const over = isRace && (world.histories.some(letsTooManyThrough) || (isAlone && decidesWrongly(world)));
  return new Set([...broken, ...(over ? limitRequirements([kind]) : [])]);
}

/**
 * Whether no window that conforms lets through and refuses the same, where no marker tells windows: beside a race and
 * nothing else, because it lets too many through.
 */
function decidesWrongly({ histories }: World): boolean {
  if (histories.some(({ events }) => events.some(({ reset }) => reset !== null))) return false;
  const fitter = new Fitter(new Work(DECIDING_WORK));
  const isWrong = (history: History): boolean =>
    fitter.fit({ ...conformingWorld([history]), layers: { remaining: false, reset: false } }) === null;
  return unlessSpent(() => histories.some(isWrong), false);
}

/** Bound of work for this, in events. */
const DECIDING_WORK = 2_000_000;

function inEach(sets: readonly ReadonlySet<RequirementId>[]): ReadonlySet<RequirementId> {
  return new Set([...(sets[0] ?? [])].filter((id) => sets.every((set) => set.has(id))));
}

/**
 * Deviating explanations within this many bits of the cheapest count as equally good: the cheapest is less than twice
 * as likely.
 */
const TIE_BITS = 1;
