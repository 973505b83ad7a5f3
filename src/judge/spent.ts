import { LIMITS, WINDOW_S } from '../catalogue/limits.ts';
import { budgetKey, type Exchange } from '../trace/exchange.ts';

const WINDOW_US = WINDOW_S * 1e6;

/**
 * Says of a request whether its key had a whole limit of successes of its kind within the minute before it. What is needed to say so is
 * gathered when first asked.
 *
 * @param answers in order of `sent`
 */
export function spentBudgets(answers: readonly Exchange[]): (exchange: Exchange) => boolean {
  const successes = new Map<string, readonly number[]>();
  const nameOf = ({ key, kind }: Exchange): string => `${key} ${kind}`;

  const successesOf = (exchange: Exchange): readonly number[] => {
    const name = nameOf(exchange);
    const known = successes.get(name);
    if (known) return known;
    const own = answers.filter(
      (each) => nameOf(each) === name && budgetKey(each) !== null && each.status !== null && each.status < 300,
    );
    const times = own.map(({ sent }) => sent);
    successes.set(name, times);
    return times;
  };

  return (exchange) => {
    if (budgetKey(exchange) === null) return false;
    const { sent, kind } = exchange;
    const recent = successesOf(exchange).filter((time) => time < sent && time > sent - WINDOW_US);
    return recent.length >= LIMITS[kind];
  };
}

/**
 * Says of a request without an accepted key whether a whole limit of such requests of its kind was sent within the minute up to it, so that
 * even a target that counts them all together may refuse it. What is needed to say so is gathered when first asked.
 *
 * @param exchanges in order of `sent`
 */
export function limitsWithoutKey(exchanges: readonly Exchange[]): (exchange: Exchange) => boolean {
  const times = new Map<Exchange['kind'], readonly number[]>();
  const timesOf = (kind: Exchange['kind']): readonly number[] => {
    const known = times.get(kind);
    if (known) return known;
    const own = exchanges.filter((each) => each.kind === kind && hasNoAcceptedKey(each)).map(({ sent }) => sent);
    times.set(kind, own);
    return own;
  };
  return ({ kind, sent }) => {
    const recent = timesOf(kind).filter((time) => time <= sent && time > sent - WINDOW_US);
    // The request itself is one of them, and the limit may be spent with the one before it.
    return recent.length > LIMITS[kind];
  };
}

/** Such a request has no limit of clause 8 that it could exceed. */
export function hasNoAcceptedKey({ fault }: Exchange): boolean {
  return fault === 'no-key' || fault === 'bad-key';
}
