import { refusedWithSomeLeft } from '../../oracle/capacity.ts';
import type { Event } from '../../oracle/history.ts';
import type { SearchContext } from '../proposal.ts';
import { isRefusedEarly, type World } from '../world.ts';

/**
 * The requests that were refused although some were left. If use by others explains the run, they may have spent what an
 * earlier answer had left, so only what a refusal says itself shows it.
 */
export function refusedEarly(
  { histories }: World,
  { mostBits = Number.POSITIVE_INFINITY }: SearchContext,
): ReadonlySet<Event> {
  const isByOthers = Number.isFinite(mostBits);
  return new Set(
    histories.flatMap((history) =>
      isByOthers ? history.events.filter(isRefusedEarly) : [...refusedWithSomeLeft(history)],
    ),
  );
}
