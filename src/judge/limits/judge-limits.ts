import type { RequirementId } from '../../catalogue/requirement.ts';
import type { Findings } from '../../oracle/analyse.ts';
import type { BudgetAnalysis } from '../../oracle/analysis.ts';
import type { Trace } from '../../trace/trace.ts';
import type { LimitsJudgement } from '../judgement.ts';
import type { Observation } from '../verdict.ts';
import { type BudgetCase, examine, findSound, isThorough, withWindow } from './budget-case.ts';
import { type Budget, type Evidence, readEvidence } from './budgets.ts';
import { observeDeliveries } from './deliveries.ts';
import { describeBudget, observe } from './describe-budget.ts';
import { nameCases, named, nameSharing } from './diagnoses.ts';
import { excusePriorUse } from './excuse-prior-use.ts';
import { withoutLoneCauses } from './lone-cause.ts';
import { findMisfit, findOvershoot, findStuck, type Misfit } from './misfit.ts';
import { poolKeys } from './pooled.ts';
import { ruleOnRefusals, ruleOnRemaining } from './remaining.ts';
import { ruleOnMarker, ruleOnMovement } from './reset.ts';
import { conclude, type Ruling } from './ruling.ts';
import { settleLimits, settleToldLimits, shareLimits } from './settle-limits.ts';
import { judgeSharing } from './sharing.ts';
import { type Examined, ruleOnAtomicity, ruleOnThreshold, showsLimit } from './thresholds.ts';
import { excuseOthers } from './unseen.ts';
import { type Use, useOf } from './use.ts';
import { ruleOnHistory } from './whole-history.ts';
import { isNoMinute, ruleOnWindow } from './window-length.ts';

/** What is judged of each budget by itself; the rest is who shares one. */
const OF_A_BUDGET = [
  'HDR-4',
  'HDR-5',
  'HDR-7',
  'HDR-8',
  'LIMIT-R',
  'LIMIT-W',
  'LIMIT-WINDOW',
  'LIMIT-ATOMIC',
  'LIMIT-HISTORY',
] as const satisfies readonly RequirementId[];

const OF_SHARING = [
  'LIMIT-KEY',
  'LIMIT-SCOPE',
  'LIMIT-RW',
  'LIMIT-HEADER',
  'LIMIT-EVADE',
  'LIMIT-ANON',
] as const satisfies readonly RequirementId[];

/** All that is kept of a budget: its history is not. */
interface Ruled {
  readonly rulings: Readonly<Partial<Record<(typeof OF_A_BUDGET)[number], Ruling>>>;
  readonly observations: readonly Observation[];
  readonly analysis: BudgetAnalysis;
  readonly use: Use | null;
}

/**
 * Everything that depends on how requests are counted: HDR-4, HDR-5, HDR-7, HDR-8 and LIMIT-*, the facts of LIMIT-O1, and
 * the analysis of each budget that reports plot. Judges any trace, whatever drove the target; labels of a plan are not
 * needed. Pure: the same trace gives the same judgement.
 */
export function judgeLimits(trace: Trace): LimitsJudgement<BudgetAnalysis> {
  const evidence = readEvidence(trace);
  const selection: ReadonlySet<RequirementId> = new Set(trace.header.selection);
  const sharing = OF_SHARING.some((id) => selection.has(id));
  const sound: Budget[] = [];
  const examined: BudgetCase[] = [];
  const ruled = new Map<Budget, Ruled>();
  let hint: Findings | null = null;
  for (const budget of evidence.budgets) {
    const found = findSound(budget, evidence);
    if (found) {
      sound.push(budget);
      ruled.set(budget, rule({ ...found, misfit: null, miscounted: false }, evidence, selection, null));
    } else examined.push(examine(budget, evidence, hint));
    hint = (found ?? examined[examined.length - 1])?.findings ?? null;
  }
  const excused = excusePriorUse(
    withoutDisproved(settleToldLimits(shareLimits(withoutLoneCauses(examined, evidence)))),
    sound,
  );
  const disturbed = excuseOthers(poolKeys(settleLimits(excused), evidence), evidence);
  const misfits = disturbed.map(withWindow).map((each) => ({ ...each, misfit: misfitOf(each) }));
  const miscounted = misfits.some(({ misfit, otherWindow }) => misfit !== null || isNoMinute(otherWindow));
  const cases: readonly Examined[] = misfits.map((each) => ({ ...each, miscounted }));
  const names = nameCases(cases);
  for (const each of cases) {
    ruled.set(each.budget, rule(each, evidence, selection, names.get(each.budget) ?? null));
  }
  const all = evidence.budgets.flatMap((budget) => ruled.get(budget) ?? []);
  return {
    opinions: [
      ...OF_A_BUDGET.map((id) => {
        return conclude(
          id,
          all.flatMap(({ rulings }) => rulings[id] ?? []),
          // What others did was noticed on one key: on which others it went unnoticed, nobody knows.
          id === 'LIMIT-HISTORY' && cases.some(({ unseen }) => unseen !== undefined),
        );
      }),
      ...(sharing
        ? judgeSharing({ cases, uses: all.flatMap(({ use }) => use ?? []) }).map((each) => nameSharing(each, cases))
        : []),
    ],
    observations: all.flatMap(({ observations }) => observations),
    budgets: all.map(({ analysis }) => analysis),
  };
}

function rule(
  examined: Examined,
  evidence: Evidence,
  selection: ReadonlySet<RequirementId>,
  diagnosis: string | null,
): Ruled {
  const { budget, reach } = examined;
  const full = budget.key !== 'restricted';
  return {
    rulings: {
      'HDR-4': ruleOnRemaining(examined),
      'HDR-5': ruleOnRefusals(examined),
      'HDR-7': ruleOnMarker(examined),
      'HDR-8': ruleOnMovement(examined),
      ...(full && {
        [budget.kind === 'read' ? 'LIMIT-R' : 'LIMIT-W']: named(ruleOnThreshold(examined), diagnosis),
        'LIMIT-WINDOW': named(ruleOnWindow(examined, diagnosis), diagnosis),
        'LIMIT-ATOMIC': named(ruleOnAtomicity(examined), diagnosis),
      }),
      'LIMIT-HISTORY': ruleOnHistory(examined, diagnosis),
    },
    observations: selection.has('LIMIT-O1')
      ? [...observe(examined, evidence.marker), ...observeDeliveries(budget)]
      : [],
    analysis: describeBudget(examined, diagnosis, isThorough(evidence) || reach < 3),
    use: OF_SHARING.some((id) => selection.has(id)) ? useOf(examined, evidence) : null,
  };
}

/**
 * Another limit or length is no finding where the decisions fit the specified one as well: a limit, if another budget of that
 * kind was refused after exactly as many; a length, if it explains nothing of Remaining either. Then Remaining is wrong. That a
 * sliding counter fits is no such sign: it fits nearly any decisions, those of a token bucket among them.
 */
function withoutDisproved(cases: readonly BudgetCase[]): readonly BudgetCase[] {
  const shown = new Set(cases.flatMap(({ budget }) => (showsLimit(budget.history) ? [budget.kind] : [])));
  return cases.map((each) => {
    const { budget, reach, findings, otherLimit, otherWindow } = each;
    if (reach === 0) return each;
    const { mechanism } = findings.best.variant;
    const fits = mechanism === 'grid' || mechanism === 'anchored' || mechanism === 'log';
    if (fits && otherWindow && !otherWindow.explanation.layers.remaining) {
      return { ...each, otherWindow: null, window: null };
    }
    return otherLimit?.since === null && shown.has(budget.kind) ? { ...each, otherLimit: null } : each;
  });
}

function misfitOf({ budget, reach, cause, otherLimit, otherWindow, disturbed }: BudgetCase): Misfit | null {
  if (reach === 3 || cause || otherLimit || otherWindow || disturbed) return null;
  const { history } = budget;
  return findOvershoot(history) ?? findStuck(history) ?? (reach === 0 ? findMisfit(history) : null);
}
