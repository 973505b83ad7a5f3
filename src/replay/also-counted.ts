import type { RequirementId } from '../catalogue/requirement.ts';
import { budgetKey, type Exchange } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';
import { budgetOf, withoutAnswer } from './sequence.ts';
import type { Recorded } from './shows.ts';

/**
 * The requests, with those of other budgets that are needed to show the failure. If the run says that budgets are
 * shared, requests on other budgets may have been counted on these too, so less was left. Without them, the same
 * requests may show nothing. They are left out if the failure shows whether they were counted or not.
 *
 * @param failed what failed in the run
 */
export function withAlsoCounted(
  exchanges: readonly Exchange[],
  failed: ReadonlySet<RequirementId>,
  { trace, shown }: Recorded,
): readonly Exchange[] {
  const others = sentMeanwhile(exchanges, trace).filter((each) => mayShare(each, exchanges, failed));
  if (others.length === 0) return exchanges;
  const perhaps = others.flatMap((each) => perhapsOn(each, exchanges));
  return shown(inOrder([...exchanges, ...perhaps])) ? exchanges : inOrder([...exchanges, ...others]);
}

/** The other requests that were under way at the same time as these. */
export function sentMeanwhile(own: readonly Exchange[], { exchanges }: Trace): readonly Exchange[] {
  const from = own[0]?.sent ?? 0;
  const to = Math.max(...own.map(({ sent, answered }) => answered ?? sent));
  const known = new Set(own.map(({ seq }) => seq));
  return exchanges.filter((each) => (each.answered ?? each.sent) >= from && each.sent <= to && !known.has(each.seq));
}

/**
 * Whether a request may draw on one of these budgets, given what failed: the requirements that keys, kinds, or requests
 * without a key share no budget.
 */
function mayShare(other: Exchange, own: readonly Exchange[], failed: ReadonlySet<RequirementId>): boolean {
  if (budgetKey(other) === null) return failed.has('LIMIT-ANON');
  const acrossKinds = failed.has('LIMIT-RW') || failed.has('LIMIT-SCOPE');
  return own.some(
    (each) =>
      budgetKey(each) !== null &&
      (failed.has('LIMIT-KEY') || budgetKey(each) === budgetKey(other)) &&
      (acrossKinds || each.kind === other.kind),
  );
}

/** The request without an answer, on each of these budgets: it is not known whether it was counted there. */
function perhapsOn(other: Exchange, own: readonly Exchange[]): readonly Exchange[] {
  const budgets = new Map(own.filter((each) => budgetKey(each) !== null).map((each) => [budgetOf(each), each]));
  return [...budgets.values()].map(({ key, kind }) => ({ ...withoutAnswer(other), key, kind, fault: 'none' }));
}

export function inOrder(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.toSorted((one, other) => one.sent - other.sent || one.seq - other.seq);
}
