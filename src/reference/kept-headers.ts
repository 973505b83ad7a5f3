import { SECOND } from '../deployment/deployment.ts';
import { isRepeatedByCaches } from '../deployment/deviations/finer-scope.ts';
import type { AnswerContext, Behaviour, RateHeaders } from './behaviour.ts';

/** How long a cache behind the limiter keeps an answer, in µs. */
const LIFETIME = 2 * SECOND;

/**
 * A response cache behind the limiter that stores headers, too: answers to the same URL repeat those of the first,
 * although each request is counted.
 *
 * @param isMeant whether an answer may be kept
 */
export function keptHeaders(
  behaviour: Pick<Behaviour, 'headers'>,
  isMeant: (context: AnswerContext) => boolean,
): Pick<Behaviour, 'headers'> {
  const kept = new Map<string, { readonly lines: RateHeaders; readonly until: number }>();
  return {
    headers(conforming, context) {
      const lines = behaviour.headers(conforming, context);
      const { arrival, budget, answered } = context;
      if (!isRepeatedByCaches(arrival.method) || !isMeant(context)) return lines;
      const url = `${budget} ${arrival.method} ${arrival.target}`;
      const earlier = kept.get(url);
      if (earlier && answered < earlier.until) return earlier.lines;
      kept.set(url, { lines, until: answered + LIFETIME });
      return lines;
    },
  };
}
