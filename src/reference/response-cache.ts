import { SECOND } from '../deployment/deployment.ts';
import type { Kind } from '../trace/exchange.ts';
import type { Arrival } from './arrival.ts';
import type { Behaviour } from './behaviour.ts';
import { headers } from './deviating-headers.ts';
import type { Decision } from './mechanisms/limiter.ts';

/** How long an answer is kept, in µs. */
const LIFETIME = 5 * SECOND;

/**
 * A response cache in front of the limiter. It repeats successful answers with their headers, by budget and URL, and
 * the limiter hears nothing of these requests.
 *
 * @param isMeant whether an answer to this request may be kept
 */
export function responseCache(
  behaviour: Behaviour,
  isMeant: (arrival: Arrival, kind: Kind) => boolean,
): Pick<Behaviour, 'exempt' | 'headers'> {
  const answers = new Map<string, { readonly decision: Decision; readonly until: number }>();
  const nameOf = (arrival: Arrival, kind: Kind): string =>
    `${behaviour.charge(arrival, kind).name} ${arrival.method} ${arrival.target}`;
  return {
    exempt(arrival, kind, now) {
      const kept = isMeant(arrival, kind) && arrival.due === 200 ? answers.get(nameOf(arrival, kind)) : undefined;
      return kept && now < kept.until ? kept.decision : behaviour.exempt(arrival, kind, now);
    },
    ...headers((_lines, context) => {
      const { arrival, kind, status, budget, limit, remaining, reset, decided, answered } = context;
      // A repeated answer belongs to no budget.
      if (status === 200 && budget !== null && isMeant(arrival, kind)) {
        const decision = { accepted: true, limit, remaining, reset, stamp: decided };
        answers.set(nameOf(arrival, kind), { decision, until: answered + LIFETIME });
      }
      return {};
    })(behaviour),
  };
}
