import { analyse, reach } from '../../oracle/analyse.ts';
import { findDeficits, findEarlyRefusal } from '../../oracle/capacity.ts';
import { below, upTo } from '../../oracle/census.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import type { BudgetCase } from './budget-case.ts';
import { AFTERMATH, peculiarTo } from './classes.ts';
import type { Stretch } from './stretches.ts';

/** A budget in which requests are missing, beside others of its kind that were spent and are in order. */
export interface Beside {
  /** Answers that had left more than a later one found, those with most missing first. */
  readonly shortages: readonly Stretch[];
  /** The most requests that are missing in one place. */
  readonly missing: number;
  /** Keys whose budgets of the kind are in order. */
  readonly inOrder: readonly string[];
}

/**
 * One deployment counts one kind in one way. Where one budget of a kind is short, and those of all other keys are not, some of
 * which were spent, what explains it with the fewest suppositions is that others use its key. Only a shortage is
 * explained so: a limit that is too high or that explains everything by itself, requests that have a budget of their own, and
 * those of other keys or of none that are counted stand. So does what is missing where the budget had requests such as no other had.
 *
 * @param inOrder budgets of the kind that other keys have, and that are in order
 */
export function findBeside(
  each: BudgetCase,
  cases: readonly BudgetCase[],
  inOrder: readonly BudgetCase[],
): Beside | null {
  const { history, kind, key } = each.budget;
  if (history.events.length > MOST_EVENTS) return null;
  const alone = cases.every((other) => other.budget.kind !== kind || other.budget.key === key || !isShort(other));
  if (inOrder.length === 0 || !alone || hasOtherLimit(each, inOrder) || !cases.every(isUnsplit)) return null;
  const variants = inOrder.map(({ findings }) => findings.best.variant);
  const sliding = variants.some(({ mechanism }) => mechanism !== 'grid' && mechanism !== 'anchored');
  const memory = variants.some(({ mechanism }) => mechanism.startsWith('counter')) ? 2 * WINDOW : WINDOW;
  const refusedCounted = variants.some(({ counting }) => counting.refusedCounted);
  const weighs = (earlier: Event, later: Event): boolean =>
    (refusedCounted || earlier.outcome !== 'refused') &&
    earlier.from <= later.to &&
    earlier.to >= later.from - memory - SLACK &&
    (sliding || sameWindow(earlier, later));
  const spared = sparing(each, inOrder);
  const shortages = findShortages(history).filter(({ earlier, later }) => spared(earlier.from - AFTERMATH, later.to));
  const missing = Math.max(0, shortages[0]?.missing ?? 0, ...missingOfAll(history, memory + SLACK, weighs, spared));
  const late = inOrder.length > 1 && comesBackLate(each) && spared(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  if (missing === 0 && !late) return null;
  return { shortages, missing: Math.max(1, missing), inOrder: inOrder.map(({ budget }) => budget.key) };
}

/**
 * Whether the budget had no request, from one time to another, such as none of the budgets in order had: only then do these show
 * that it is not the deployment's counting that is at fault.
 */
function sparing({ budget }: BudgetCase, inOrder: readonly BudgetCase[]): (from: number, to: number) => boolean {
  const others = inOrder.flatMap((other) => other.budget.exchanges);
  const times = Float64Array.from(peculiarTo(budget.exchanges, others), ({ sent }) => sent).sort();
  return (from, to) => upTo(times, to) === below(times, from);
}

/** Each answer is held against all others: in a longer history, that takes too long. */
const MOST_EVENTS = 5_000;

/** Whether something is missing that is not explained: what explains each answer by itself may leave two at odds. */
export function isShort({ reach: reached, budget: { history } }: BudgetCase): boolean {
  return reached < 3 || findDeficits(history, 1).length > 0 || findEarlyRefusal(history) !== null;
}

/** Whether no requests seem to be counted elsewhere than they ought to be; of the other kind it only seems so where others use the key. */
function isUnsplit({ cause, evasion }: BudgetCase): boolean {
  return evasion === null && (cause === null || cause.requirement === 'LIMIT-RW');
}

/** Whether longer windows than the specified ones explain it: what others had counted later leaves later. */
function comesBackLate({ otherWindow }: BudgetCase): boolean {
  return (otherWindow?.length.low ?? 0) > WINDOW;
}

/** So far from the specified limit is one at most that a miscount makes, and that a few requests of others look like. */
const FEW = 2;

/**
 * Whether another limit has to be taken for the deployment's: one that is higher, which others cannot make it, or that explains
 * everything. One that is a few lower is the deployment's only if it explains a budget that is in order as well.
 */
function hasOtherLimit({ budget, otherLimit }: BudgetCase, inOrder: readonly BudgetCase[]): boolean {
  if (!otherLimit) return false;
  const { limit, shown } = otherLimit.findings.history;
  if (limit > budget.history.limit) return true;
  if (otherLimit.since !== null || reach(otherLimit.findings) < 3) return false;
  const fits = ({ budget: { history } }: BudgetCase): boolean =>
    reach(analyse({ ...history, limit, shown }, { depth: 'whole' })) === 3;
  return limit < budget.history.limit - FEW || inOrder.every(fits);
}

const MOST_SHORTAGES = 64;

function findShortages(history: History): readonly Stretch[] {
  const early = findEarlyRefusal(history);
  return [...findDeficits(history, MOST_SHORTAGES), ...(early ? [early] : [])]
    .map(({ earlier, later, between }) => {
      const left = later.outcome === 'refused' ? 0 : (later.remaining ?? 0) + 1;
      return { earlier, later, own: between, missing: (earlier.remaining ?? 0) - left - between };
    })
    .sort((one, other) => other.missing - one.missing);
}

/** µs by which a window of the server's clock may be longer than one of the run's. */
const SLACK = 2_000_000;

/** Whether both may have been counted in one fixed window, as their markers tell it. */
function sameWindow({ reset: one }: Event, { reset: other }: Event): boolean {
  return one === null || other === null || Math.abs(one - other) <= SLACK;
}

/**
 * By how much each answer leaves less than what the run sent can have taken off.
 *
 * @param quiet µs from the first request on in which what came before the run may weigh
 */
function missingOfAll(
  { events, shown, limit }: History,
  quiet: number,
  weighs: (earlier: Event, later: Event) => boolean,
  spared: (from: number, to: number) => boolean,
): readonly number[] {
  const taken = (later: Event): number | null => {
    if (later.outcome === 'refused') return limit;
    return later.outcome === 'accepted' && later.remaining !== null ? shown - 1 - later.remaining : null;
  };
  return events.flatMap((later) => {
    const due = taken(later);
    if (due === null || later.from < (events[0]?.from ?? 0) + quiet || !spared(later.from - quiet, later.to)) return [];
    return [due - events.filter((other) => other !== later && weighs(other, later)).length];
  });
}
