import { priorUse } from '../../oracle/prior-use.ts';
import { bitsOfNumber, KEY_BITS, type Proposal } from '../proposal.ts';
import type { World } from '../world.ts';

/**
 * Use of some keys just before the run, as their first answers show it. It is no deviation, but may come with one: so it
 * is half of a pair, without which the missing requests would be a second deviation.
 */
export function* proposeUseBefore(world: World): Iterable<Proposal> {
  let bits = 0;
  const histories = world.histories.map((history) => {
    const prior = history.prior ? null : priorUse(history);
    if (!prior) return history;
    bits += KEY_BITS + bitsOfNumber(prior.high);
    return { ...history, prior };
  });
  if (bits > 0) yield { deviations: [], bits, world: { ...world, histories } };
}
