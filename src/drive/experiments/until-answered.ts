import { REPEATS } from '../../plan/roles.ts';
import type { Session } from '../session.ts';
import type { Shot } from '../shot.ts';

/**
 * Sends the single requests of one experiment, and sends one again where no answer came, up to `REPEATS` times in all: over a network
 * that loses one answer in a hundred, every second run would otherwise leave something undecided. An answer, whatever it
 * says, is never asked for again, so that nothing is retried into a pass; that a lost request may have been counted is the judge's
 * to allow for.
 */
export function untilAnswered(session: Session): (shot: Shot) => Promise<void> {
  let left = REPEATS;
  return async (shot) => {
    let exchange = await session.attempt(shot);
    while (exchange !== null && exchange.failure !== null && left > 0) {
      left -= 1;
      exchange = await session.attempt(shot);
    }
  };
}
