import { analyse, type Findings, reach } from '../../oracle/analyse.ts';
import { ALL_LAYERS, DECISIONS, WITH_REMAINING } from '../../oracle/check.ts';
import { type History, type Range, WINDOW } from '../../oracle/history.ts';
import { findWindow, measureWindow, type OtherWindow } from '../../oracle/length.ts';
import { priorUse } from '../../oracle/prior-use.ts';
import { findWitness } from '../../oracle/witnessed.ts';
import type { Exchange, Kind } from '../../trace/exchange.ts';
import { type Budget, type Evidence, historyOf } from './budgets.ts';
import { type Cause, findCause } from './cause.ts';
import { findUnstatedEvasion } from './evasion.ts';
import { findOvershoot, findStuck } from './misfit.ts';
import { findCommonLimit, findLaterLimit, findLimit, findToldLimit, type OtherLimit } from './other-limit.ts';
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
 * @param hint what the budget before showed
 */
export function examine(budget: Budget, evidence: Evidence, hint: Findings | null): BudgetCase {
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
  const cause = reach(quiet) < 2 ? findCause(budget, quiet, evidence) : null;
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
function spentAgain({ events }: History): boolean {
  const origin = events[0]?.from ?? 0;
  return events.some(({ outcome, from }) => outcome === 'refused' && from > origin + WINDOW);
}

type Plain = Omit<BudgetCase, 'window'>;

function withLimit(plain: Plain, otherLimit: OtherLimit): BudgetCase {
  return { ...plain, otherLimit, window: measured(otherLimit.findings) };
}

/**
 * One deployment has one limit for a kind: another limit that one budget shows is tried on those that are too short to
 * show it by themselves.
 */
export function shareLimits(cases: readonly BudgetCase[]): readonly BudgetCase[] {
  return cases.map((each) => {
    if (each.reach === 3 || each.otherLimit || each.cause || each.disturbed) return each;
    const known = cases.find(({ budget, otherLimit }) => otherLimit && budget.kind === each.budget.kind)?.otherLimit;
    if (!known) return each;
    const { limit, shown } = known.findings.history;
    const findings = analyse({ ...each.budget.history, limit, shown }, { depth: 'first' });
    return reach(findings) > each.reach ? withLimit(each, { limit, findings, since: null }) : each;
  });
}

/**
 * Use before the run and a limit that is too low look alike on one key. It is the limit where every spent budget of the kind tells
 * the same one, and a key at rest tells it again: what was counted before the run is gone by then.
 */
export function settleToldLimits(cases: readonly BudgetCase[]): readonly BudgetCase[] {
  return (['read', 'write'] as const).reduce(settleTold, cases);
}

function settleTold(cases: readonly BudgetCase[], kind: Kind): readonly BudgetCase[] {
  const own = cases.filter(({ budget }) => budget.kind === kind && budget.key !== 'restricted');
  const spent = own.filter(({ budget }) => budget.exchanges.some(isRefusal));
  const [told, ...others] = new Set(spent.map((each) => (each.told ?? each.otherLimit)?.limit ?? null));
  if (told === undefined || told === null || others.length > 0) return cases;
  const rested = own.flatMap(({ budget }) => toldAtRest(budget.history));
  if (rested.some((limit) => limit !== told) || (spent.length === 1 && rested.length === 0)) return cases;
  return cases.map((each) => {
    if (!each.told || !own.includes(each)) return each;
    const { quiet, ...limit } = each.told;
    return withLimit({ ...each, findings: quiet, reach: reach(quiet) }, limit);
  });
}

/** The limits that accepted requests tell which came when nothing had been sent for a window and more. */
function toldAtRest({ events }: History): readonly number[] {
  return events.flatMap(({ outcome, from, remaining }, index) => {
    const last = events[index - 1];
    if (!last || outcome !== 'accepted' || remaining === null || from <= last.to + WINDOW + REST) return [];
    return [remaining + 1];
  });
}

/** So much longer than a window is a rest at least, for clocks of whole seconds, in µs. */
const REST = 1_000_000;

/** Another limit is held against every budget of a kind only where none has more events than this. */
const MOST_SETTLED = 2_000;

/**
 * One deployment has one limit for a kind: where the specified one does not explain some budget, another that explains
 * it and every other budget of its kind is what the deployment has. Each of those by itself may be explained by a chance,
 * such as a window that ends at its first request.
 */
export function settleLimits(cases: readonly BudgetCase[]): readonly BudgetCase[] {
  return (['read', 'write'] as const).reduce(settleKind, cases);
}

function settleKind(cases: readonly BudgetCase[], kind: Kind): readonly BudgetCase[] {
  const own = cases.filter(({ budget }) => budget.kind === kind && budget.key !== 'restricted');
  const odd = own.filter((each) => each.reach < 3 && !each.cause && !each.disturbed);
  const spent = own.some(({ budget }) => budget.exchanges.some(isRefusal));
  const long = own.some(({ budget }) => budget.exchanges.length > MOST_SETTLED);
  if (!spent || long || odd.length === 0 || odd.some(({ otherLimit }) => otherLimit)) return cases;
  const ordered = [...odd, ...own.filter((each) => !odd.includes(each))];
  const common = findCommonLimit(ordered.map(({ budget }) => budget.history));
  if (!common) return cases;
  const settled = new Map(ordered.map((each, index) => [each, common[index]]));
  return cases.map((each) => {
    const found = settled.get(each);
    return found ? withLimit({ ...each, cause: null }, found) : each;
  });
}

/**
 * A budget that nothing explains, and whose first answers show that its key was in use before the run: where another budget of its kind is wholly
 * explained, with the refusals that show its limit, the deployment is not at fault, and what was counted before is not known well enough.
 * One whose own first answers miss as many requests as those of every other key is no such example, unless it tells the
 * whole limit later: a deployment that lets one less through, or tells one less, looks the same.
 *
 * @param sound further budgets that are wholly explained
 */
export function excusePriorUse(cases: readonly BudgetCase[], sound: readonly Budget[]): readonly BudgetCase[] {
  const explained = cases.flatMap(({ budget, reach: reached, cause, disturbed }) =>
    reached === 3 && !cause && !disturbed && (!missesAlike(budget, cases) || tellsWhole(budget.history))
      ? [budget]
      : [],
  );
  const exemplary = [...explained, ...sound].filter(
    ({ key, exchanges }) => key !== 'restricted' && exchanges.some(isRefusal),
  );
  return cases.map((each) => {
    if (each.reach === 3 || each.cause || each.disturbed || !priorUse(each.budget.history)) return each;
    if (each.otherLimit && fromQuietStart(each.otherLimit) && spentAgain(each.budget.history)) return each;
    const { key, kind } = each.budget;
    const excused = exemplary.some((other) => other.kind === kind && other.key !== key);
    return excused ? { ...each, otherLimit: null, otherWindow: null, window: null, disturbed: true } : each;
  });
}

/** Whether another limit explains everything without any use of the key before the run. */
function fromQuietStart({ findings }: OtherLimit): boolean {
  return reach(findings) === 3 && findings.history.prior === undefined;
}

/** Whether the first answers miss requests, and those of each key as many. */
function missesAlike(budget: Budget, cases: readonly BudgetCase[]): boolean {
  if (!priorUse(budget.history)) return false;
  const own = cases.filter((each) => each.budget.kind === budget.kind && each.budget.key !== 'restricted');
  return new Set(own.map((each) => missing(each.budget.history))).size <= 1;
}

/** How long the answers count as the first ones, in µs. */
const FIRST_MOMENT = 2_000_000;

/** Requests that the first answers miss: by how much the most that they tell falls short of what a key at rest is told. */
function missing({ events, shown, limit }: History): number {
  const origin = events[0]?.from ?? 0;
  const first = events.filter(({ from, outcome }) => from <= origin + FIRST_MOMENT && outcome === 'accepted');
  const told = first.flatMap(({ remaining }) => (remaining === null ? [] : [remaining]));
  return told.length === 0 ? limit : shown - 1 - Math.max(...told);
}

/** Whether an answer tells the whole limit but for the request that it answers. */
function tellsWhole({ events, shown }: History): boolean {
  return events.some(({ outcome, remaining }) => outcome === 'accepted' && remaining === shown - 1);
}

function isRefusal({ status, fault, operation }: Exchange): boolean {
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
