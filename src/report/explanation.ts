import { KINDS } from '../trace/exchange.ts';
import type { Mechanism, RefutedMechanism, Report, ReportedBudget } from './report.ts';
import { plural } from './wording.ts';

/**
 * What the budgets of a run say together of the mechanism behind them: a deployment has one, or one for each kind, and
 * each budget narrows it.
 */
export interface Explanation {
  /** Whether a budget was spent: until then mechanisms look alike, so that none is named. */
  readonly isTold: boolean;
  /** Mechanisms that explain every budget; empty where there is none, or some budget is explained by nothing. */
  readonly common: readonly Mechanism['name'][];
  /**
   * Which mechanism it is, in words, or that this is not decided: of each kind, where none explains every budget. Null
   * where some kind has none.
   */
  readonly told: string | null;
  /** Budgets that no admissible mechanism explains. */
  readonly unexplained: readonly ReportedBudget[];
  /** The other mechanisms, each with its shortest refutation and the budget that gave it. */
  readonly refuted: readonly (RefutedMechanism & { readonly budget: string })[];
}

export function explain(report: Pick<Report, 'budgets'>): Explanation {
  const unexplained = report.budgets.filter((each) => each.mechanisms.length === 0);
  const common = inCommon(report.budgets);
  const groups = Map.groupBy(
    report.budgets.flatMap((budget) => budget.refuted.map((each) => ({ ...each, budget: budgetName(budget) }))),
    (each) => each.name,
  );
  const refuted = [...groups.values()].flatMap(
    (group) => group.toSorted((a, b) => a.evidence.length - b.evidence.length)[0] ?? [],
  );
  const isTold = report.budgets.some(({ refused }) => refused > 0);
  return {
    isTold,
    common,
    told: inWords(common) ?? ofEachKind(report.budgets),
    unexplained,
    refuted: refuted.filter((each) => !common.includes(each.name)),
  };
}

/** The mechanisms that explain each of these budgets. */
function inCommon(budgets: readonly ReportedBudget[]): readonly Mechanism['name'][] {
  const names = budgets.map((each) => new Set(each.mechanisms.map(({ name }) => name)));
  return [...(names[0] ?? [])].filter((name) => names.every((each) => each.has(name)));
}

/** Reads and writes may be counted by different mechanisms; null where some kind is counted by none. */
function ofEachKind(budgets: readonly ReportedBudget[]): string | null {
  const told = KINDS.flatMap((kind) => {
    const own = budgets.filter((each) => each.kind === kind);
    return own.length === 0 ? [] : [{ kind, words: inWords(inCommon(own)) }];
  });
  if (told.length < KINDS.length || told.some(({ words }) => words === null)) return null;
  return told.map(({ kind, words }) => `${kind}s: ${words}`).join('; ');
}

/** Of more mechanisms than this and one, the number says enough. */
const MOST_NAMED = 3;

function inWords(common: readonly string[]): string | null {
  const [only] = common;
  if (only === undefined) return null;
  if (common.length === 1) return only;
  const most = common.length === MOST_NAMED + 1 ? common.length : MOST_NAMED;
  const named = common.slice(0, most).join(', or ');
  const rest = common.length - most;
  return `not decided by this run: ${named}${rest > 0 ? `, or ${plural(rest, 'more mechanism')}` : ''}`;
}

/** `key-1 reads`. */
export function budgetName(budget: Pick<ReportedBudget, 'key' | 'kind'>): string {
  return `${budget.key} ${budget.kind}s`;
}
