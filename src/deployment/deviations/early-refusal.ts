import type { Kind } from '../../trace/exchange.ts';
import { classesText, isPlural, type RequestClass, requirementOf } from '../attribute.ts';
import { BOTH, drawKinds, lengthText, limitRequirements, type Operator, onlyFor, pick, plural } from '../operator.ts';

/** Requests that are refused while budget is left, although no window of another limit is spent. */
export interface EarlyRefusal {
  readonly kinds: readonly Kind[];
  /**
   * The least number of other requests of the key that are under way when one is refused; null: it does not depend on
   * them.
   */
  readonly underWay: number | null;
  /** One in so many of those that may be refused, on average; 1: each of them. */
  readonly oneIn: number;
  /** If all requests of a key are refused after some of them have failed; left out: it is another rule. */
  readonly afterFailures?: AfterFailures;
  /** Which requests are refused while no more than so many are left; left out: it is another rule. */
  readonly reserve?: { readonly of: RequestClass; readonly left: number };
}

/** When a key is turned away because of its failed requests. */
interface AfterFailures {
  /** By which answers a failed request is known. */
  readonly statuses: readonly number[];
  /** So many of them within a minute. */
  readonly count: number;
  /** For how long, in µs; null: longer than the run shows. */
  readonly length: number | null;
}

/** A cap on concurrent requests, a circuit breaker or a gateway that sheds load. */
export const earlyRefusal: Operator<'early-refusal', EarlyRefusal> = {
  id: 'early-refusal',
  component: 'limit',
  breaks: ({ kinds, reserve }) => [
    'HDR-5',
    ...(reserve ? [requirementOf(reserve.of.attribute)] : limitRequirements(kinds)),
  ],
  mayShow: ({ kinds, reserve }) => (reserve ? limitRequirements(kinds) : []),
  sentence({ kinds, underWay, oneIn, afterFailures, reserve }) {
    if (reserve) {
      const { attribute, classes } = reserve.of;
      const are = isPlural(attribute, classes) ? 'are' : 'is';
      const left = reserve.left === 1 ? 'one is' : `up to ${reserve.left} are`;
      return `${classesText(attribute, classes)} ${are} refused while ${left} left${onlyFor(kinds)}.`;
    }
    if (afterFailures) {
      const { statuses, count, length } = afterFailures;
      const failed = count === 1 ? 'a request that is' : `${count} requests that are`;
      const lasts = length === null ? 'from then on' : `for about ${lengthText(length)}`;
      return `After ${failed} answered ${statuses.join(' or ')}, the ${plural(kinds)} of the key are refused ${lasts}.`;
    }
    return underWay === null
      ? `About one in ${oneIn} of the ${plural(kinds)} is refused while budget is left.`
      : `Requests are refused while budget is left, but only if ${underWay} or more others with the same key are under way${onlyFor(kinds)}.`;
  },
  remedy({ afterFailures, reserve }) {
    if (reserve)
      return 'Usually a part of the budget is kept for requests that take precedence. Let all requests of a key and kind use the whole of it.';
    return afterFailures
      ? 'Usually a guard against scanners turns a key away with 429 after failed requests. Refuse with 429 only when the budget of the key is spent.'
      : 'Usually a cap on concurrent requests, a circuit breaker, a gateway or a node that has spent its own share refuses with 429 besides the limiter. Refuse with 429 only when the budget of the key is spent.';
  },
  draw(random) {
    if (random() < 0.5) return { kinds: BOTH, underWay: pick(random, [3, 5, 8]), oneIn: 1 };
    return { kinds: drawKinds(random), underWay: null, oneIn: pick(random, [5, 10, 30]) };
  },
};
