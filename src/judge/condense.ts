import { budgetKey, type Exchange } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';
import { Condenser, MOST_WHOLE, ROOM } from './condenser.ts';
import { bySent, inOrder } from './view.ts';

/**
 * A trace in memory, condensed as it would have been while it was recorded: so that both are judged alike. Certifying
 * runs are not.
 */
export function condense(trace: Trace, most = MOST_WHOLE, room = ROOM): Trace {
  const { header, exchanges } = trace;
  if (header.command !== 'load' || trace.condensed || exchanges.length <= most) return trace;
  const condenser = new Condenser(header.epoch, room);
  for (const exchange of inOrder(exchanges)) condenser.take(exchange);
  const { condensed, kept, missing } = condenser.finish();
  return { ...trace, condensed, exchanges: withMissing(kept, missing, exchanges) };
}

/** What was kept, and all of the budgets that were missing. */
export function withMissing(
  kept: readonly Exchange[],
  missing: ReadonlySet<string>,
  all: readonly Exchange[],
): readonly Exchange[] {
  if (missing.size === 0) return kept;
  const gathered = all.filter((each) => missing.has(`${budgetKey(each)} ${each.kind}`));
  return [...kept, ...gathered].sort(bySent);
}
