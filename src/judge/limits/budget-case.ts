import type { RequirementId } from '../../catalogue/requirement.ts';
import { analyse, type Findings, reach } from '../../oracle/analyse.ts';
import { ALL_LAYERS, DECISIONS, WITH_REMAINING } from '../../oracle/check.ts';
import { type History, type Range, WINDOW } from '../../oracle/history.ts';
import { findWindow, measureWindow, type OtherWindow } from '../../oracle/length.ts';
import { priorUse } from '../../oracle/prior-use.ts';
import { findWitness } from '../../oracle/witnessed.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { type Budget, type Evidence, historyOf } from './budgets.ts';
import { type Cause, findCause } from './cause.ts';
import { findUnstatedEvasion } from './evasion.ts';
import { findOvershoot, findStuck } from './misfit.ts';
import { findLaterLimit, findLimit, findToldLimit, type OtherLimit } from './other-limit.ts';
import type { Unseen } from './unseen.ts';

/** One budget, what explains it, and, where nothing does, the one thing that would have to be otherwise. */
export interface BudgetCase {
  readonly budget: Budget;
  readonly findings: Findings;
  /** 3 wholly explained, 2 but for Reset, 1 but for both headers, 0 not even the decisions. */
  readonly reach: 0 | 1 | 2 | 3;
  /** The class of requests that is counted elsewhere than it ought to be; null: none. */
  readonly cause: Cause | null;
  /** Requests that were let through on a spent budget though nothing says that they succeed at all; null: none. */
  readonly evasion: Cause | null;
  /** Another limit that explains the decisions; null: none is needed, or none does. */
  readonly otherLimit: OtherLimit | null;
  readonly otherWindow: OtherWindow | null;
  /** The length of the window as the decisions and Remaining tell it; null where they are not explained. */
  readonly window: Range | null;
  /** The key seems to have been in use before the run, and a defect would look the same: nothing can be said of this budget. */
  readonly disturbed: boolean;
  /** Another limit that explains it as well as use of the key before the run does; left out where none does. */
  readonly told?: OtherLimit & { /** What the specified limit comes to without such use. */ readonly quiet: Findings };
  /** What shows that others used the key during the run; left out where nothing does. */
  readonly unseen?: Unseen;
}

/** Traces with more exchanges come from load: there one explanation of each budget has to do. */
const MOST_THOROUGH = 20_000;

/** Whether each budget is looked at from all sides: not in a long load run, of which reports tell what does not fit. */
export function isThorough({ exchanges }: Evidence): boolean {
  return exchanges.length <= MOST_THOROUGH;
}

/**
 * A budget of a load run that fixed windows explain for certain; null: it has to be examined. Nothing else of the run bears on
 * it, and neither the budget nor the evidence keeps its history, so that it can be ruled on and forgotten.
 */
export function findSound(budget: Budget, evidence: Evidence): BudgetCase | null {
  const findings = isThorough(evidence) ? null : findWitness(historyOf(budget, budget.exchanges, evidence));
  return (
    findings && {
      budget,
      findings,
      reach: 3,
      cause: null,
      evasion: null,
      otherLimit: null,
      otherWindow: null,
      window: null,
      disturbed: false,
    }
  );
}

/**
 * What one budget shows, with the cause of what does not fit.
 *
 * @param hint what the budget before showed; null: there is none
 * @param excluded a requirement that is known not to be the cause; null: none is
 */
export function examine(
  budget: Budget,
  evidence: Evidence,
  hint: Findings | null,
  excluded: RequirementId | null = null,
): BudgetCase {
  const thorough = isThorough(evidence);
  const known = hint && hint.whole.length > 0 ? hint.best : null;
  const quiet = thorough
    ? analyse(budget.history, { depth: 'all' })
    : analyse(budget.history, { depth: 'first', hint: known });
  const findings = reach(quiet) === 3 ? quiet : withPriorUse(quiet);
  const { history } = findings;
  const reached = reach(findings);
  const plain = {
    budget,
    findings,
    reach: reached,
    cause: null,
    evasion: thorough ? findUnstatedEvasion(budget, findings) : null,
    otherLimit: null,
    otherWindow: null,
    disturbed: false,
  };
  if (findings === quiet && reached === 3) return { ...plain, window: thorough ? measured(findings) : null };
  const cause = reach(quiet) < 2 ? findCause(budget, quiet, evidence, excluded) : null;
  // Prior use and a defect that look alike: which it was, only a key at rest can tell.
  if (reached === 3) {
    const told = cause || !spentAgain(quiet.history) ? null : findToldLimit(quiet.history);
    const disturbed = cause !== null;
    return {
      ...plain,
      window: disturbed ? null : measured(findings),
      disturbed,
      ...(told && { told: { ...told, quiet } }),
    };
  }
  if (cause) return { ...plain, cause, window: measured(cause.findings[0] ?? findings) };
  const stuck = findStuck(history) !== null;
  const otherLimit = stuck ? null : findLimit(history, reached);
  if (otherLimit && reach(otherLimit.findings) === 3) return withLimit(plain, otherLimit);
  const laterLimit = stuck || reached === 2 ? null : findLaterLimit(budget, findings, evidence);
  if (laterLimit) return withLimit(plain, laterLimit);
  const whole = reached < 2 ? findWindow(history, ALL_LAYERS) : null;
  if (whole) return { ...plain, otherWindow: whole, window: whole.length };
  if (otherLimit && reached === 0) return withLimit(plain, otherLimit);
  if (reached === 2) return { ...plain, window: stuck ? null : measured(findings) };
  if (findOvershoot(history)) return { ...plain, window: null };
  const other = findWindow(history, WITH_REMAINING) ?? (reached === 0 ? findWindow(history, DECISIONS) : null);
  if (other || reached === 0) return { ...plain, otherWindow: other, window: other?.length ?? null };
  return { ...plain, window: stuck ? null : measured(findings) };
}

/** Whether requests were refused in a window that began when whatever was counted before the run had expired. */
export function spentAgain({ events }: History): boolean {
  const origin = events[0]?.from ?? 0;
  return events.some(({ outcome, from }) => outcome === 'refused' && from > origin + WINDOW);
}

type Plain = Omit<BudgetCase, 'window'>;

/** The case of a budget that another limit explains. Its window is measured when nothing better is found (`withWindow`). */
export function withLimit(plain: Plain, otherLimit: OtherLimit): BudgetCase {
  return { ...plain, otherLimit, window: null };
}

/** The case with its window measured, where another limit explains it: that takes long, and a limit found on one budget may yet be given up. */
export function withWindow(each: BudgetCase): BudgetCase {
  const { otherLimit, cause, disturbed } = each;
  return otherLimit && !cause && !disturbed ? { ...each, window: measured(otherLimit.findings) } : each;
}

/** Whether the budget's own requests do not explain what it shows, from a quiet start. */
export function isLacking({ reach: reached, findings }: BudgetCase): boolean {
  return reached < 3 || findings.history.prior !== undefined;
}

/** Whether an answer says that the budget is spent. */
export function isRefusal({ status, fault, operation }: Exchange): boolean {
  return status === 429 && fault !== 'unstated' && operation !== null;
}

function measured(findings: Findings): Range | null {
  const { best, history } = findings;
  if (!findings.decisions || !history.events.some(({ outcome }) => outcome === 'refused')) return null;
  const byCounts = measureWindow(best.variant, history, findings.remaining ? WITH_REMAINING : DECISIONS);
  // The estimate of a sliding counter changes too little with the length: the ends of its buckets tell it.
  const counts = findings.whole.length === 0 || byCounts.high - byCounts.low < 8_000_000;
  return counts ? byCounts : measureWindow(best.variant, history, ALL_LAYERS);
}

/** What prior use of the key explains, where the first answers show it and it explains more than a quiet start does. */
function withPriorUse(quiet: Findings): Findings {
  const prior = priorUse(quiet.history);
  if (!prior) return quiet;
  const used = analyse({ ...quiet.history, prior }, { depth: 'first' });
  return reach(used) > reach(quiet) ? used : quiet;
}
