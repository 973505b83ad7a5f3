import type { BudgetAnalysis } from '../../oracle/analysis.ts';
import { diagnose } from '../../oracle/diagnose.ts';
import type { Trace } from '../../trace/trace.ts';
import type { LimitsJudgement } from '../judgement.ts';
import { type BudgetCase, examine, excusePriorUse, shareLimits } from './budget-case.ts';
import { readEvidence } from './budgets.ts';
import { observeDeliveries } from './deliveries.ts';
import { describeBudget, observe } from './describe-budget.ts';
import { findMisfit, findOvershoot, findStuck, type Misfit } from './misfit.ts';
import { judgeRefusals, judgeRemaining } from './remaining.ts';
import { judgeMarker, judgeMovement } from './reset.ts';
import { judgeSharing } from './sharing.ts';
import { type Examined, judgeAtomic, judgeThreshold } from './thresholds.ts';
import { judgeHistory } from './whole-history.ts';
import { judgeWindow } from './window-length.ts';

/**
 * Everything that depends on how requests are counted: HDR-4, HDR-5, HDR-7, HDR-8 and LIMIT-*, the facts of LIMIT-O1, and
 * the analysis of each budget that reports plot. Judges any trace, whatever drove the target; labels of a plan are not
 * needed. Pure: the same trace gives the same judgement.
 */
export function judgeLimits(trace: Trace): LimitsJudgement<BudgetAnalysis> {
  const evidence = readEvidence(trace);
  const examinedAlone: BudgetCase[] = [];
  for (const budget of evidence.budgets) {
    examinedAlone.push(examine(budget, evidence, examinedAlone[examinedAlone.length - 1]?.findings ?? null));
  }
  const misfits = excusePriorUse(shareLimits(examinedAlone)).map((examined) => ({
    ...examined,
    misfit: misfitOf(examined),
  }));
  const miscounted = misfits.some(({ misfit }) => misfit !== null);
  const cases: readonly Examined[] = misfits.map((examined) => ({ ...examined, miscounted }));
  const diagnoses = new Map(
    // A bucket is named for what it counts: what windows explain but for the marker, or but for one cause, is none.
    cases.map((examined) => {
      const { reach, cause, budget } = examined;
      return [examined, reach < 2 && !cause ? diagnose(budget.history) : null];
    }),
  );
  const diagnosisOf = (examined: Examined): string | null => diagnoses.get(examined) ?? null;
  return {
    opinions: [
      judgeRemaining(cases),
      judgeRefusals(cases),
      judgeMarker(cases),
      judgeMovement(cases),
      judgeThreshold('read', cases),
      judgeThreshold('write', cases),
      judgeWindow(cases),
      ...judgeSharing(cases, evidence),
      judgeAtomic(cases),
      judgeHistory(cases, diagnosisOf),
    ],
    observations: cases.flatMap((examined) => [
      ...observe(examined, evidence.marker),
      ...observeDeliveries(examined.budget),
    ]),
    budgets: cases.map((examined) => describeBudget(examined, diagnosisOf(examined))),
  };
}

function misfitOf({ budget, reach, cause, otherLimit, otherWindow, disturbed }: BudgetCase): Misfit | null {
  if (reach === 3 || cause || otherLimit || otherWindow || disturbed) return null;
  const { history } = budget;
  return findOvershoot(history) ?? findStuck(history) ?? (reach === 0 ? findMisfit(history) : null);
}
