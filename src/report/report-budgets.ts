import type { Judgement } from '../judge/judgement.ts';
import { budgetKey, type Exchange, type Kind } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';
import type { Report, ReportedBudget } from './report.ts';
import { plotSeries } from './series.ts';

/** Budgets in a report at most: a load run may use thousands of keys. */
export const BUDGETS_SHOWN = 16;

/** The exchanges of one key and kind, in order of `sent`. */
interface History {
  readonly key: string;
  readonly kind: Kind;
  readonly exchanges: Exchange[];
}

/**
 * Each budget of the run with its series. Where there are more than `BUDGETS_SHOWN`, those that no mechanism explains stay,
 * then the busiest.
 */
export function reportBudgets(trace: Trace, judgement: Judgement): Pick<Report, 'budgets' | 'budgetsOmitted'> {
  const histories = [...budgetHistories(trace.exchanges)].sort(
    (a, b) => b.exchanges.length - a.exchanges.length || (`${a.key} ${a.kind}` < `${b.key} ${b.kind}` ? -1 : 1),
  );
  const shown = histories.slice(0, BUDGETS_SHOWN).map((history) => reportBudget(history, trace, judgement));
  return {
    budgets: shown.sort((a, b) => a.key.localeCompare(b.key, 'en', { numeric: true }) || (a.kind < b.kind ? -1 : 1)),
    budgetsOmitted: histories.length - shown.length,
  };
}

function budgetHistories(exchanges: readonly Exchange[]): Iterable<History> {
  const histories = new Map<string, History>();
  for (const exchange of exchanges) {
    const key = budgetKey(exchange);
    if (key === null || key === 'unknown' || exchange.fault === 'unstated') continue;
    const name = `${key} ${exchange.kind}`;
    const history = histories.get(name) ?? { key, kind: exchange.kind, exchanges: [] };
    history.exchanges.push(exchange);
    histories.set(name, history);
  }
  return histories.values();
}

function reportBudget(history: History, trace: Trace, judgement: Judgement): ReportedBudget {
  const { key, kind, exchanges } = history;
  return {
    key,
    kind,
    limit: kind === 'read' ? 100 : 30,
    requests: exchanges.length,
    accepted: exchanges.filter(({ status }) => status !== null && status >= 200 && status < 300).length,
    refused: exchanges.filter(({ status }) => status === 429).length,
    mechanisms: [],
    refuted: [],
    diagnosis: null,
    windows: [],
    clockError: null,
    series: plotSeries(exchanges, new Map(), markersOf(exchanges, trace, judgement)),
  };
}

/**
 * Reset markers on the run's clock, in ms. The unit follows from the size of the number (a date of this century in s, ms,
 * µs or ns); the middle of the clock's skew is taken off.
 */
function markersOf(exchanges: readonly Exchange[], trace: Trace, judgement: Judgement): number[] {
  const { skew } = judgement.conditions;
  const offset = skew === null ? 0 : (skew.low + skew.high) / 2000;
  const start = trace.header.epoch / 1000 + offset;
  const distinct = new Set(exchanges.flatMap(({ headers }) => (headers.reset.length === 1 ? headers.reset : [])));
  return [...distinct].flatMap((value) => {
    const marker = /^\s*\d{10,20}\s*$/.test(value) ? Number(value) : Number.NaN;
    const unit = [1000, 1, 1e-3, 1e-6].find((factor) => marker * factor > 1e12 && marker * factor < 1e13);
    return unit === undefined ? [] : [Math.round(marker * unit - start)];
  });
}
