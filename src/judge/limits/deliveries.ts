import { singleInteger } from '../../oracle/single-integer.ts';
import { type Exchange, isSuccess } from '../../trace/exchange.ts';
import type { Observation } from '../verdict.ts';
import type { Budget } from './budgets.ts';

/** Variations of requests that were all written to one connection at once. */
const DELIVERIES: readonly string[] = ['pipelined', 'multiplexed'];

/** Whether a request belonged to a burst on one connection. */
export function isDelivery({ variation }: Exchange): boolean {
  return variation !== null && DELIVERIES.includes(variation);
}

/**
 * When the first burst on one connection was sent (µs of the run's clock); infinite if there was none. Such bursts, and
 * everything after them, count for no verdict. A server may read the whole burst from its socket before it answers the
 * first request. Widely used limiters (express-rate-limit with its memory store) then count all of them and decide each
 * by the final count. The specification does not say that a client may send this way, and everything after such a burst
 * depends on it.
 */
export function firstDelivery(exchanges: readonly Exchange[]): number {
  return exchanges.reduce(
    (first, each) => (isDelivery(each) ? Math.min(first, each.sent) : first),
    Number.POSITIVE_INFINITY,
  );
}

/** What bursts on one connection showed: how many requests were accepted, and whether as many had been left. */
export function observeDeliveries({ key, kind, all, until }: Budget): readonly Observation[] {
  return DELIVERIES.flatMap((delivery): Observation[] => {
    const burst = all.filter(({ variation }) => variation === delivery);
    if (burst.length === 0) return [];
    const accepted = burst.filter(({ status }) => isSuccess(status)).length;
    const unanswered = burst.filter(({ status }) => status === null).length;
    const left = leftBefore(all, until);
    const fits = left === null || unanswered > 0 ? null : accepted - Math.min(left, burst.length);
    const exact = fits === 0 ? ', exact' : fits === null ? '' : `, ${Math.abs(fits)} too ${fits < 0 ? 'few' : 'many'}`;
    const value = `accepted ${accepted} of ${burst.length}${exact}`;
    const evidence = burst.slice(0, 1).map(({ seq }) => seq);
    return [{ requirement: 'LIMIT-O1', name: `delivery.${delivery}.${key}.${kind}`, value, evidence }];
  });
}

/** The Remaining of the last answer before `time`; null if there is none. */
function leftBefore(exchanges: readonly Exchange[], time: number): number | null {
  const done = exchanges.filter(({ answered, status }) => answered !== null && answered < time && status === 200);
  const last = done.reduce<Exchange | null>((one, other) => (one && one.sent > other.sent ? one : other), null);
  return last && singleInteger(last.headers.remaining);
}
