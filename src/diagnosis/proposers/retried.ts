import type { Event } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import type { World } from '../world.ts';
import { mayCount, multiplied } from './multiplied.ts';

/** Bits to state after how long a request is sent again: one of 128 lengths. */
const LENGTH_BITS = 7;

/** What is sent again takes longer than others by at least this factor; otherwise nothing separates them. */
const LEAST_RATIO = 1.25;

/** The most lengths that are tried: the widest gaps between the times that requests took. */
const MOST_LENGTHS = 4;

/** If more requests than this share are slow, they are not slow. */
const MOST_SLOW = 0.7;

/**
 * Requests that take long are sent again by something in front of the limiter, and counted twice. The gaps between the
 * times that requests took show after how long.
 */
export function* proposeRetried(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const took = ({ from, to }: Event): number => to - from;
  const served = world.histories.flatMap(({ events }) => events.filter(mayCount));
  const times = served.map(took).sort((one, other) => one - other);
  const gaps = times
    .flatMap((time, at) => {
      const before = times[at - 1] ?? 0;
      return before > 0 && time >= LEAST_RATIO * before && times.length - at <= MOST_SLOW * times.length
        ? [{ before, time, ratio: time / before }]
        : [];
    })
    .sort((one, other) => other.ratio - one.ratio);
  for (const { before, time } of gaps.slice(0, MOST_LENGTHS)) {
    const after = Math.round((before + time) / 2);
    yield {
      deviations: [{ operator: 'retried', parameters: { kinds: [kind], after } }],
      bits: DEVIATION_BITS + LENGTH_BITS,
      world: multiplied(world, (event) => took(event) >= after, 2),
    };
  }
}
