import { budgetKey, type Exchange } from '../../trace/exchange.ts';
import { singleInteger } from '../single-integer.ts';

/** Values from this on are points in time. */
const LEAST_MARKER = 1_000_000;

/** µs during which values must count down to one moment. */
const LEAST_SPAN = 5_000_000;

/** The number of different values that this needs. */
const FEWEST_VALUES = 5;

/** When the window ends according to a value, in µs of the run's clock. */
interface End {
  readonly low: number;
  readonly high: number;
}

/**
 * The meaning of small values of `X-RateLimit-Reset` that decrease as time passes: `seconds to go`, `milliseconds to
 * go`; null if they are neither.
 */
export function nameCountdown(exchanges: readonly Exchange[]): string | null {
  const answered = exchanges.filter(
    (each) => each.answered !== null && budgetKey(each) !== null && each.fault !== 'unstated',
  );
  const budgets = [...Map.groupBy(answered, (each) => `${budgetKey(each)} ${each.kind}`).values()];
  for (const [name, unit] of [
    ['seconds to go', 1_000_000],
    ['milliseconds to go', 1_000],
  ] as const) {
    const shown = budgets.map((budget) => countsDown(budget, unit));
    if (shown.every((each) => each !== null) && shown.includes(true)) return name;
  }
  return null;
}

/**
 * Whether the values decrease by one with each unit of time, for long enough to show it; null: some of them fit no
 * future moment.
 */
function countsDown(budget: readonly Exchange[], unit: number): boolean | null {
  let shown = false;
  let end: End | null = null;
  let since = 0;
  let values = new Set<number>();
  for (const { sent, answered, headers } of [...budget].sort((one, other) => one.sent - other.sent)) {
    const value = singleInteger(headers.reset);
    if (value === null || answered === null || value < 0 || value >= LEAST_MARKER) continue;
    const told: End = { low: sent + (value - 1) * unit, high: answered + (value + 1) * unit };
    if (end && told.high < end.low) return null;
    if (end && told.low <= end.high) {
      end = { low: Math.max(end.low, told.low), high: Math.min(end.high, told.high) };
    } else {
      end = told;
      since = sent;
      values = new Set();
    }
    values.add(value);
    if (values.size >= FEWEST_VALUES && sent - since >= LEAST_SPAN) shown = true;
  }
  return shown;
}
