import type { Exchange } from '../../trace/exchange.ts';
import type { RequestSpec } from '../request-spec.ts';
import type { Session } from '../session.ts';
import { windowEnd } from '../window-end.ts';
import { retryAfterS } from './retry-after.ts';

/**
 * Sends a request, if there is one to send. Returns false if what it needs could not be created, so it was left out.
 */
export type Send = (spec: RequestSpec | null) => Promise<boolean>;

/** How often a run may still send a single request that is not in its plan. */
export interface Repeats {
  left: number;
}

/**
 * Sends the single requests of a run. If one gets no answer, it is sent again while `repeats` are left: over a
 * network that loses one answer in a hundred, every second run would otherwise leave something undecided. A request
 * with an answer is not sent again, so no retry can turn a failure into a pass. The judge allows for lost requests that
 * may have been counted.
 *
 * One exception: if no budget is measured and a refusal says how long to wait (`Retry-After`, or else the marker of the
 * reset), the suite waits that long, once, and sends the request again. The refusal says nothing about the requirement
 * under test. A certification, which measures when budgets come back, does not wait.
 */
export function untilAnswered(session: Session, repeats: Repeats): Send {
  const send = async (spec: RequestSpec) => {
    let exchange = await session.attempt(spec);
    while (exchange !== null && exchange.failure !== null && repeats.left > 0) {
      repeats.left -= 1;
      exchange = await session.attempt(spec);
    }
    return exchange;
  };
  return async (spec) => {
    if (spec === null) return true;
    const { patience } = session;
    await patience?.rest();
    const exchange = await send(spec);
    if (exchange === null) return false;
    const wait = exchange.status === 429 ? secondsToWait(exchange, session) : null;
    if (wait === null || !patience?.extend(wait, exchange)) return true;
    await patience.rest();
    await send(spec);
    return true;
  };
}

/** How long a refusal asks to wait, in seconds of the run's clock; null if it does not say. */
function secondsToWait({ headers, answered }: Exchange, { clock }: Session): number | null {
  const asked = retryAfterS(headers);
  if (asked !== null || answered === null) return asked;
  const end = windowEnd(headers, clock.epoch, answered);
  return end === null ? null : Math.max(0, end - clock.now()) / 1e6;
}
