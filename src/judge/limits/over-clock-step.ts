import { type Asked, diagnoseRun, type KindRuling } from '../../diagnosis/run.ts';
import type { ClockStep } from '../../oracle/clock-step.ts';
import type { History } from '../../oracle/history.ts';
import type { Trace } from '../../trace/trace.ts';
import { readEvidence } from './budgets.ts';

/**
 * The decisions about a run in which the clock of the deployment was set. By such a clock, windows end early or late,
 * and counts come back, in whatever way the limiter reads it. So what no conforming deployment explains is open, unless
 * the requests before that moment show it.
 */
export function diagnoseOverStep(
  step: ClockStep,
  histories: readonly History[],
  trace: Trace,
  asked: Asked,
): readonly KindRuling[] {
  const { anonymous, budgets } = readEvidence({ ...trace, exchanges: step.before, unanswered: [] });
  const { kinds } = diagnoseRun(histories, anonymous, { ...asked, named: false });
  if (kinds.every(({ outcome }) => outcome === 'conforms')) return kinds;
  const before = diagnoseRun(
    budgets.map(({ history }) => history),
    anonymous,
    { named: asked.named ?? true },
  );
  return kinds.map((kind): KindRuling => {
    if (kind.outcome === 'conforms') return kind;
    const shown = before.kinds.find(({ diagnosis }) => diagnosis.kind === kind.diagnosis.kind);
    if (shown?.outcome === 'deviates' || shown?.outcome === 'unexplained') return shown;
    const nothing: KindRuling['broken'] = new Set();
    const open = { minimal: [], broken: nothing, disputed: nothing, final: false, clockStep: step };
    return { diagnosis: kind.diagnosis, outcome: 'open', ...open };
  });
}
