import type { BudgetAnalysis } from '../oracle/analysis.ts';
import type { Trace } from '../trace/trace.ts';
import { judge } from './conclude.ts';
import { condense } from './condense.ts';
import type { Judgement, OnShare } from './judgement.ts';
import { judgeLimits } from './limits/judge-limits.ts';

/** Every verdict on a trace: the one judge of this suite, whoever drove the target and whenever it is asked. */
export function judgeTrace(trace: Trace, onShare?: OnShare): Judgement<BudgetAnalysis> {
  return judge(condense(trace), (all) => judgeLimits(all, { ...(onShare && { onShare }) }));
}
