import type { History } from '../oracle/history.ts';
import { budgetKey } from '../trace/exchange.ts';
import type { Proposal } from './proposal.ts';
import { withoutExempt } from './proposers/exempt.ts';
import { merged } from './world.ts';

/**
 * The budgets of the other kind as a first deviation has them: without the requests that it counts nowhere, and as one
 * where keys share a budget. A second deviation that is about both kinds finds them by the key of the budget.
 */
export function otherKindUnder({ deviations, world }: Proposal, otherKind: readonly History[]): readonly History[] {
  const counted = withoutExempt(deviations, otherKind);
  const known = new Set(counted.map(({ key }) => key));
  const joint = world.histories.filter(({ key }) => !known.has(key));
  const shared = joint.flatMap((history) => {
    const keys = new Set(history.events.map(({ exchange }) => budgetKey(exchange)));
    const own = counted.filter(({ key }) => keys.has(key));
    return merged(own, history.key) ?? [];
  });
  return [...counted, ...shared];
}
