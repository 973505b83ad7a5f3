import type { Exchange } from '../trace/exchange.ts';
import type { Range } from './history.ts';
import { forEachDate } from './server-clock.ts';

/** That the clock of a deployment was set in mid-run. */
export interface ClockStep {
  /** What was certainly answered before it. */
  readonly before: readonly Exchange[];
  /** The last of these. */
  readonly last: Exchange;
  /** By how much it was set forward, in µs; negative: back. */
  readonly by: Range;
}

/** What one `Date` says of the offset, and the answer that has it. */
interface Dated extends Range {
  readonly exchange: Exchange;
  readonly answered: number;
}

/**
 * The one moment at which the clock of a deployment was set, as its `Date` headers tell: no offset from the client's
 * clock explains all of them, one explains those before some moment, and another those after it. Null if there is no
 * such moment: one clock explains them all, or several clocks answered by turns.
 */
export function clockStep(exchanges: readonly Exchange[], epoch: number): ClockStep | null {
  const inTurn: Dated[] = [];
  forEachDate(exchanges, epoch, (low, high, exchange, answered) => inTurn.push({ low, high, exchange, answered }));
  inTurn.sort((one, other) => one.answered - other.answered);
  const early = running(inTurn);
  const whole = early.at(-1);
  if (!whole || whole.low <= whole.high) return null;
  const late = running(inTurn.toReversed()).toReversed();
  const from = late.findIndex(({ low, high }) => low <= high);
  const until = early.findLastIndex(({ low, high }) => low <= high);
  const [before, after, last] = [early[from - 1], late[until + 1], inTurn[from - 1]];
  if (!before || !after || !last || before.low > before.high || after.low > after.high) return null;
  return {
    before: exchanges.filter(({ sent, answered }) => (answered ?? sent) <= last.answered),
    last: last.exchange,
    by: { low: after.low - before.high, high: after.high - before.low },
  };
}

/** The bounds on the offset by each element and all before it. */
function running(bounds: readonly Range[]): Range[] {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  return bounds.map((each) => {
    low = Math.max(low, each.low);
    high = Math.min(high, each.high);
    return { low, high };
  });
}
