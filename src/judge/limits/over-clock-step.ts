import { type KindRuling, undecided } from '../../diagnosis/kind-ruling.ts';
import { diagnoseRun } from '../../diagnosis/run.ts';
import type { ClockStep } from '../../oracle/clock-step.ts';
import type { Trace } from '../../trace/trace.ts';
import { readEvidence } from './budgets.ts';

/**
 * The decisions about a run in which the clock of the deployment was set. By such a clock, windows end early or late,
 * and counts come back, in whatever way the limiter reads it. So what no conforming deployment explains is open, unless
 * the requests before that moment show it.
 *
 * @param kinds the decisions about the whole run
 * @param named whether to name what the requests before that moment show
 */
export function rulingsOverStep(
  kinds: readonly KindRuling[],
  step: ClockStep,
  trace: Trace,
  named: boolean,
): readonly KindRuling[] {
  if (kinds.every(({ outcome }) => outcome === 'conforms')) return kinds;
  const { anonymous, budgets } = readEvidence({ ...trace, exchanges: step.before, unanswered: [] });
  const histories = budgets.map(({ history }) => history);
  const before = diagnoseRun(histories, anonymous, { named }).kinds;
  return kinds.map((kind): KindRuling => {
    if (kind.outcome === 'conforms') return kind;
    const shown = before.find(({ diagnosis }) => diagnosis.kind === kind.diagnosis.kind);
    if (shown?.outcome === 'deviates' || shown?.outcome === 'unexplained') return shown;
    return { ...undecided(kind.diagnosis), outcome: 'open', clockStep: step };
  });
}
