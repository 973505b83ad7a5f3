import { REPEATS } from '../../plan/roles.ts';
import type { RequestSpec } from '../request-spec.ts';
import type { Session } from '../session.ts';
import { retryAfterS } from './retry-after.ts';

/** Sends a request, if there is one to send. Returns false if what it needs could not be created, so it was left out. */
export type Send = (spec: RequestSpec | null) => Promise<boolean>;

/**
 * Sends the single requests of a run, and sends one again where no answer came, up to `REPEATS` times in all: over a network that loses one
 * answer in a hundred, every second run would otherwise leave something undecided. A request with an answer is never sent again, so no
 * retry can turn a failure into a pass. The judge allows for lost requests that may have been counted.
 *
 * But for one: where no budget is measured, a refusal which says when to come again (`Retry-After`) is waited for, once, and then asked
 * again. It says nothing of the requirement that the request is about. A certification that measures when budgets are back waits for
 * nothing.
 */
export function untilAnswered(session: Session): Send {
  let left = REPEATS;
  const send = async (spec: RequestSpec) => {
    let exchange = await session.attempt(spec);
    while (exchange !== null && exchange.failure !== null && left > 0) {
      left -= 1;
      exchange = await session.attempt(spec);
    }
    return exchange;
  };
  return async (spec) => {
    if (spec === null) return true;
    const { patience } = session;
    await patience?.rest();
    const exchange = await send(spec);
    const wait = exchange?.status === 429 ? retryAfterS(exchange.headers) : null;
    if (exchange === null) return false;
    if (wait === null || !patience?.extend(wait, exchange.sent)) return true;
    await patience.rest();
    await send(spec);
    return true;
  };
}
