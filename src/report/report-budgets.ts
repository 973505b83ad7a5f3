import type { Judgement } from '../judge/judgement.ts';
import type { BudgetAnalysis, Interval, SurvivingVariant } from '../oracle/analysis.ts';
import { nameOf } from '../oracle/mechanism-name.ts';
import { budgetKey, type Exchange, isSuccess } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';
import { parametersOf } from './mechanism.ts';
import type { Mechanism, RefutedMechanism, Report, ReportedBudget } from './report.ts';
import { plotSeries } from './series.ts';

/** Budgets in a report at most, and windows of one: a load run may have thousands. */
export const BUDGETS_SHOWN = 16;
const WINDOWS_SHOWN = 60;

/**
 * Each budget of the run with its series. If there are more than `BUDGETS_SHOWN`, it keeps those that no mechanism
 * explains, then the busiest.
 */
export function reportBudgets(
  trace: Trace,
  judgement: Judgement<BudgetAnalysis>,
): Pick<Report, 'budgets' | 'budgetsOmitted'> {
  const shown = judgement.budgets
    .toSorted((a, b) => a.surviving.length - b.surviving.length || b.exchanges - a.exchanges || inOrder(a, b))
    .slice(0, BUDGETS_SHOWN)
    .toSorted(inOrder)
    .map((analysis) => reportBudget(analysis, trace, judgement));
  return { budgets: shown, budgetsOmitted: judgement.budgets.length + notKept(trace) - shown.length };
}

/** Budgets of a long load run for which only totals were kept. */
function notKept({ condensed }: Trace): number {
  return condensed ? condensed.left.size + condensed.budgets.reduce((sum, { budgets }) => sum + budgets, 0) : 0;
}

/** `key-2` before `key-10`, numbered keys before named ones, reads before writes. */
function inOrder(a: BudgetAnalysis, b: BudgetAnalysis): number {
  const number = (alias: string): number => Number(/\d+$/.exec(alias)?.[0] ?? 1e9);
  return number(a.key) - number(b.key) || (`${a.key} ${a.kind}` < `${b.key} ${b.kind}` ? -1 : 1);
}

function reportBudget(analysis: BudgetAnalysis, trace: Trace, judgement: Judgement<BudgetAnalysis>): ReportedBudget {
  const { key, kind, limit, diagnosis, surviving, windows } = analysis;
  const exchanges = trace.exchanges.filter((each) => each.kind === kind && budgetKey(each) === key);
  const predicted = new Map(analysis.predictions.map(({ seq, low, high }) => [seq, { low, high }]));
  return {
    key,
    kind,
    limit,
    requests: exchanges.length,
    accepted: exchanges.filter(({ status }) => isSuccess(status)).length,
    refused: exchanges.filter(({ status }) => status === 429).length,
    mechanisms: mechanismsOf(analysis, trace.header.epoch),
    refuted: refutedOf(analysis),
    diagnosis,
    windows: windows.slice(0, WINDOWS_SHOWN).map(({ start, end, accepted, refused, overshoot, undershoot }) => {
      const uncertainty = Math.round((end.high - end.low) / 2000);
      return { start: middle(start), end: middle(end), uncertainty, accepted, refused, overshoot, undershoot };
    }),
    series: plotSeries(exchanges, predicted, markersOf(exchanges, surviving[0], trace, judgement)),
  };
}

/** One entry per mechanism: the options that explain the history differ in details that a reader does not need. */
function mechanismsOf(analysis: BudgetAnalysis, epoch: number): Mechanism[] {
  const groups = Map.groupBy(analysis.surviving, ({ mechanism }) => mechanism);
  return [...groups].flatMap(([mechanism, [variant]]) =>
    variant ? [{ name: nameOf(mechanism), parameters: parametersOf(variant, analysis, epoch) }] : [],
  );
}

/** Mechanisms that explain the history with no option, each with its shortest refutation. */
function refutedOf(analysis: BudgetAnalysis): RefutedMechanism[] {
  const alive = new Set(analysis.surviving.map((each) => each.mechanism));
  const groups = Map.groupBy(
    analysis.refuted.filter((each) => !alive.has(each.mechanism)),
    (each) => each.mechanism,
  );
  return [...groups].flatMap(([mechanism, variants]) => {
    const [shortest] = variants.toSorted((a, b) => a.evidence.length - b.evidence.length);
    return shortest ? [{ name: nameOf(mechanism), argument: shortest.argument, evidence: shortest.evidence }] : [];
  });
}

/**
 * Reset markers on the run's clock, in ms. The size of the number shows the unit (a current date in s, ms, µs or ns),
 * and the `Date` headers show the server's clock. If they do not, the best mechanism does.
 */
function markersOf(
  exchanges: readonly Exchange[],
  best: SurvivingVariant | undefined,
  trace: Trace,
  judgement: Judgement<BudgetAnalysis>,
): number[] {
  const { low, high } = judgement.conditions.skew ?? best?.offset ?? { low: 0, high: 0 };
  const offset = ((low ?? high ?? 0) + (high ?? low ?? 0)) / 2;
  const values = new Set(exchanges.flatMap(({ headers }) => (headers.reset.length === 1 ? headers.reset : [])));
  return [...values].flatMap((value) => {
    const marker = /^\s*\d{1,20}\s*$/.test(value) ? Number(value) : Number.NaN;
    // What is known of a marker is its precision, which may be coarser than its unit.
    const unit = [1e6, 1e3, 1, 1e-3].find((each) => marker * each > 1e15 && marker * each < 1e16) ?? best?.unit;
    if (unit === undefined || unit === null || Number.isNaN(marker)) return [];
    return [Math.round((marker * unit - trace.header.epoch - offset) / 1000)];
  });
}

/** µs to ms, the middle of the interval; if one side is unbounded, the other side. */
export function middle({ low, high }: Interval): number {
  const ends = [low, high].filter(Number.isFinite);
  return Math.round(ends.reduce((sum, each) => sum + each, 0) / Math.max(1, ends.length) / 1000);
}
