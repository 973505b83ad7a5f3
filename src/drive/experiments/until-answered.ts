import { WINDOW_S } from '../../catalogue/limits.ts';
import { REPEATS } from '../../plan/roles.ts';
import type { Mode } from '../../plan/tracks.ts';
import type { Session } from '../session.ts';
import type { Shot } from '../shot.ts';
import { retryAfterS } from './retry-after.ts';

const SECOND = 1e6;

/** Seconds for which a check waits at the most: a spent budget is back when its window has ended. */
const MOST_PATIENCE_S = WINDOW_S + 1;

/** Sends a request, and nothing where there is none to send. */
export type Send = (shot: Shot | null) => Promise<void>;

/**
 * Sends the single requests of a run, and sends one again where no answer came, up to `REPEATS` times in all: over a network
 * that loses one answer in a hundred, every second run would otherwise leave something undecided. An answer, whatever it
 * says, is never asked for again, so that nothing is retried into a pass; that a lost request may have been counted is the judge's
 * to allow for.
 *
 * But for one: a check follows no clock, so that a refusal which says when to come again (`Retry-After`) is waited for, once, and
 * then asked again. It says nothing of the requirement that the request is about. A certification measures when budgets are back,
 * and waits for nothing.
 */
export function untilAnswered(session: Session, mode: Mode): Send {
  const patience = mode === 'check' ? patienceOf(session) : null;
  let left = REPEATS;
  const send = async (shot: Shot) => {
    let exchange = await session.attempt(shot);
    while (exchange !== null && exchange.failure !== null && left > 0) {
      left -= 1;
      exchange = await session.attempt(shot);
    }
    return exchange;
  };
  return async (shot) => {
    if (shot === null) return;
    await patience?.rest();
    const exchange = await send(shot);
    const wait = exchange?.status === 429 ? retryAfterS(exchange.headers) : null;
    if (exchange === null || wait === null || !patience?.extend(wait, exchange.sent)) return;
    await patience.rest();
    await send(shot);
  };
}

/** When the requests of an experiment go on that was asked to wait. Times are µs of the run's clock. */
function patienceOf({ clock, until }: Session) {
  let begun: number | null = null;
  let end = 0;
  return {
    rest: async (): Promise<void> => {
      if (clock.now() < end) await until(end);
    },
    /** Whether the request that was sent then may be sent again after so many seconds. */
    extend(seconds: number, sent: number): boolean {
      begun ??= clock.now();
      const next = clock.now() + seconds * SECOND;
      // What was refused after the wait would be refused again.
      if (next > begun + MOST_PATIENCE_S * SECOND || (end > 0 && sent >= end)) return false;
      end = Math.max(end, next);
      return true;
    },
  };
}
