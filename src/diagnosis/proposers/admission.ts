import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { bitsToChoose, DEVIATION_BITS, type Proposal, type Scene } from '../proposal.ts';
import { changed, unclear, type World, withEvents } from '../world.ts';
import { isOneByOne, repeatsIn } from './crowd.ts';

/** Bits to say how often it happens. */
const RATE_BITS = 4;

/**
 * Requests over the limit that are let through now and then: nothing was left before they were sent, nor after them, and what was
 * left before was counted one by one. Which of those that left
 * nothing were counted is left open.
 */
export function* proposeAdmissions(world: World, { kind }: Scene): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  const accepted = new Set(world.histories.flatMap(({ events }) => events.filter(isAccepted)));
  const repeats = world.histories.flatMap((history) => repeatsIn(history, accepted));
  const alone = world.histories.reduce((sum, history) => sum + letThrough(history), 0);
  const together = repeats.reduce((sum, { remaining, times }) => sum + (remaining === 0 ? times - 1 : 0), 0);
  const through = isOneByOne(repeats) ? Math.max(alone, together) : alone;
  if (through === 0) return;
  const over = world.histories.flatMap(({ events }) => events.filter(({ outcome }) => outcome === 'refused')).length;
  yield {
    deviations: [
      {
        operator: 'sporadic-admission',
        parameters: { kinds: [kind], oneIn: Math.max(2, Math.round((over + through) / through)) },
      },
    ],
    bits: DEVIATION_BITS + RATE_BITS + bitsToChoose(over + through, through),
    world: changed(world, (history) =>
      withEvents(history, (event) => (isServed(event) && event.remaining === 0 ? unclear(event) : event)),
    ),
  };
}

/**
 * How many requests of a budget were let through that were sent a while after nothing had been left, and left nothing themselves: within that
 * while, those that are decided at once may not see each other's count.
 */
function letThrough({ events }: History): number {
  let spent = Number.POSITIVE_INFINITY;
  let count = 0;
  for (const event of events) {
    const left = event.outcome === 'refused' ? 0 : isAccepted(event) ? event.remaining : null;
    if (left === null) continue;
    if (left > 0) spent = Number.POSITIVE_INFINITY;
    else if (isAccepted(event) && event.from > spent + CALM) count++;
    else spent = Math.min(spent, event.to);
  }
  return count;
}

function isAccepted({ outcome }: Event): boolean {
  return outcome === 'accepted';
}

/** A request that fails for another reason is let through as well. */
function isServed({ outcome }: Event): boolean {
  return outcome === 'accepted' || outcome === 'failed';
}

/** µs after which a count has been seen by all, where it is at all. */
const CALM = 1_000_000;
