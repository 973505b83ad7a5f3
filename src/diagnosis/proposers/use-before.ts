import { priorUse } from '../../oracle/prior-use.ts';
import { bitsOfNumber, KEY_BITS, type Proposal } from '../proposal.ts';
import type { World } from '../world.ts';

/**
 * Use of some keys just before the run, as their first answers show it. It is no deviation, but may come with one: so
 * it is half of a pair, without which the missing requests would be a second deviation.
 */
export function* proposeUseBefore(world: World): Iterable<Proposal> {
  const priors = new Map(
    world.histories.flatMap((history) => {
      const prior = history.prior ? null : priorUse(history);
      return prior ? [[history, prior] as const] : [];
    }),
  );
  if (priors.size === 0) return;
  const bits = [...priors.values()].reduce((sum, { high }) => sum + KEY_BITS + bitsOfNumber(high), 0);
  const histories = world.histories.map((history) => {
    const prior = priors.get(history);
    return prior ? { ...history, prior } : history;
  });
  yield { deviations: [], bits, world: { ...world, histories } };
}
