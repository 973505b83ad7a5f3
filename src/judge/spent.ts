import { LIMITS, WINDOW_S } from '../catalogue/limits.ts';
import { budgetKey, type Exchange, hasNoAcceptedKey } from '../trace/exchange.ts';

const WINDOW_US = WINDOW_S * 1e6;

/**
 * Says of a request whether its key had a whole limit of successes of its kind within the minute before it. What is
 * needed to say so is gathered when first asked.
 *
 * @param answers in order of `sent`
 */
export function spentBudgets(answers: readonly Exchange[]): (exchange: Exchange) => boolean {
  const nameOf = ({ key, kind }: Exchange): string => `${key} ${kind}`;
  const isSpending = (each: Exchange): boolean => budgetKey(each) !== null && each.status !== null && each.status < 300;
  const timesOf = timesByName(answers, nameOf, isSpending);
  return (exchange) => {
    if (budgetKey(exchange) === null) return false;
    const { sent, kind } = exchange;
    const recent = timesOf(exchange).filter((time) => time < sent && time > sent - WINDOW_US);
    return recent.length >= LIMITS[kind];
  };
}

/**
 * Says of a request without an accepted key whether a whole limit of such requests of its kind was sent within the
 * minute up to it, so that even a target that counts them all together may refuse it. What is needed to say so is
 * gathered when first asked.
 *
 * @param exchanges in order of `sent`
 */
export function limitsWithoutKey(exchanges: readonly Exchange[]): (exchange: Exchange) => boolean {
  const timesOf = timesByName(exchanges, ({ kind }) => kind, hasNoAcceptedKey);
  return (exchange) => {
    const { sent, kind } = exchange;
    const recent = timesOf(exchange).filter((time) => time <= sent && time > sent - WINDOW_US);
    // The request itself is one of them, and the limit may be spent with the one before it.
    return recent.length > LIMITS[kind];
  };
}

/** When the requests of one name were sent, of those that count: for each name gathered when first asked. */
function timesByName(
  exchanges: readonly Exchange[],
  nameOf: (exchange: Exchange) => string,
  counts: (exchange: Exchange) => boolean,
): (exchange: Exchange) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  return (exchange) => {
    const name = nameOf(exchange);
    const times =
      known.get(name) ?? exchanges.filter((each) => nameOf(each) === name && counts(each)).map(({ sent }) => sent);
    known.set(name, times);
    return times;
  };
}
