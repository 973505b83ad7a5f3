import { refusedWithSomeLeft } from '../../oracle/capacity.ts';
import type { Event, History } from '../../oracle/history.ts';
import type { SearchContext } from '../proposal.ts';
import { byMarker, isRefusedEarly, type World } from '../world.ts';

/**
 * The requests that were refused although some were left. If use by others explains the run, they may have spent what an
 * earlier answer had left, so only what a refusal says itself shows it.
 */
export function refusedEarly({ histories }: World, context: SearchContext): ReadonlySet<Event> {
  return new Set(
    histories.flatMap((history) =>
      isByOthers(context) ? history.events.filter(isRefusedEarly) : [...refusedWithSomeLeft(history)],
    ),
  );
}

/** Those that only the accepted requests of their window show: what is left may be told wrongly. None if use by others explains the run. */
export function refusedInShortWindows({ histories }: World, context: SearchContext): readonly Event[] {
  return isByOthers(context) ? [] : histories.flatMap(inShortWindows);
}

function isByOthers({ mostBits = Number.POSITIVE_INFINITY }: SearchContext): boolean {
  return Number.isFinite(mostBits);
}

/**
 * The refusals of a window in which a later request was accepted, or fewer requests than the limit: what those took, or
 * would have taken, was left.
 */
function inShortWindows({ events, limit }: History): readonly Event[] {
  return [...byMarker(events).values()].flatMap((window) => {
    const refused = window.filter(({ outcome }) => outcome === 'refused');
    if (window.length - refused.length < limit) return refused;
    const last = window.reduce(
      (latest, { outcome, from }) => (outcome === 'accepted' ? Math.max(latest, from) : latest),
      Number.NEGATIVE_INFINITY,
    );
    return refused.filter(({ to }) => to < last);
  });
}
