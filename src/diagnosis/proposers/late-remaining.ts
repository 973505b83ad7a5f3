import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { untold, type World } from '../world.ts';
import { crowdedIn, LAG_BITS } from './crowd.ts';
import { RULE_BITS } from './header-bits.ts';
import { latenessOf } from './lateness.ts';
import { bitsOfUnseen } from './losses.ts';

/** Remaining that is late by some time, as if a copy of the count told it. What is decided must conform. */
export function* proposeLateRemaining(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const late = world.layers.remaining ? latenessOf(world.histories, world.window) : null;
  if (!late) return;
  const crowded = new Set(world.histories.flatMap(({ events }) => crowdedIn(events, late.most)));
  yield {
    deviations: [
      {
        operator: 'remaining-header',
        parameters: { kinds: [kind], change: { late: late.lag }, only: { statuses: [200] } },
      },
    ],
    bits: DEVIATION_BITS + RULE_BITS + LAG_BITS + bitsOfUnseen(late.losses),
    world: untold(world, ['remaining'], (event) => crowded.has(event)),
    isLast: true,
  };
}
