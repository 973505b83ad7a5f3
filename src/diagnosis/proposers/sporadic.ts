import type { Event } from '../../oracle/history.ts';
import type { Proposal, SearchContext } from '../proposal.ts';
import { changed, unclear, type World, withEvents } from '../world.ts';
import { dropsOf, gainedBy, lostBy } from './drops.ts';
import { inAll, type Loss, nowAndThen } from './losses.ts';

/** Accepted requests that are sometimes not counted: it stays open which ones, and Remaining shows how many. */
export function* proposeForgotten(world: World, { kind }: SearchContext): Iterable<Proposal> {
  for (const { shapes, drops } of dropsOf(world)) {
    const losses = drops.map(lostBy);
    if (!isNowAndThen(losses)) continue;
    yield {
      ...nowAndThen(kind, 0, losses),
      world: {
        ...changed(world, (history) =>
          withEvents(history, (event) => (isAccepted(event) ? { ...event, outcome: 'doubtful' } : event)),
        ),
        shapes,
      },
    };
  }
}

/**
 * Accepted requests that are sometimes counted twice: any of them may have been. Others would have had to send a
 * request at the same moment each time.
 */
export function* proposeDoubled(world: World, { kind }: SearchContext): Iterable<Proposal> {
  for (const { shapes, drops } of dropsOf(world)) {
    const more = drops.map(gainedBy);
    if (inAll(more).lost === 0 || more.some(({ lost, of }) => lost > of)) continue;
    yield {
      ...nowAndThen(kind, 2, more),
      world: {
        ...changed(world, (history) => ({
          ...history,
          events: history.events.flatMap((event) => (mayCount(event) ? [event, again(event)] : [event])),
        })),
        shapes,
      },
    };
  }
}

/** Whether some were lost, but rarely. If it happens about every second time, the cause is another. */
function isNowAndThen(losses: readonly Loss[]): boolean {
  const { lost, of } = inAll(losses);
  return lost > 0 && lost * FEWEST_BETWEEN <= of;
}

/** At most one of this many requests is lost. */
const FEWEST_BETWEEN = 3;

/** One more count of a request. One that failed may be given back both times. */
function again(event: Event): Event {
  return isAccepted(event) ? { ...unclear(event), outcome: 'extra' } : unclear(event);
}

function mayCount({ outcome }: Event): boolean {
  return outcome === 'accepted' || outcome === 'failed';
}

function isAccepted({ outcome }: Event): boolean {
  return outcome === 'accepted';
}
