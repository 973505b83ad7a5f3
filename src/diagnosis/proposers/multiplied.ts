import type { Event } from '../../oracle/history.ts';
import { changed, inOrder, unclear, type World } from '../world.ts';

/** Whether a request may have been counted, as far as its answer shows. */
export function mayCount({ outcome }: Event): boolean {
  return outcome === 'accepted' || outcome === 'failed' || outcome === 'unclear';
}

/**
 * The world in which some requests cost `weight` each. If one of them is refused while fewer are left than it costs,
 * this shows nothing about the others. One that is refused with nothing left may have used up the rest: a limiter that
 * charges in several steps may refuse at the last of them.
 *
 * @param always failed ones cost it, too; otherwise they may be counted or not, as the deployment chooses
 */
export function multiplied(world: World, which: (event: Event) => boolean, weight: number, always = false): World {
  const isShort = ({ outcome, remaining }: Event): boolean =>
    outcome === 'refused' && remaining !== null && remaining > 0 && remaining < weight;
  const isCut = ({ outcome, remaining }: Event): boolean => outcome === 'refused' && remaining === 0;
  const isSure = ({ outcome }: Event): boolean => outcome === 'accepted' || (always && outcome === 'failed');
  return changed(world, (history) => {
    const events = history.events.map((event): Event => {
      if (!which(event)) return event;
      if (isShort(event)) return unclear(event);
      return isSure(event) ? { ...event, outcome: 'accepted', group: '' } : event;
    });
    const charged = history.events.filter((event) => (mayCount(event) || isCut(event)) && which(event));
    const more = charged.flatMap((event) =>
      Array.from({ length: weight - 1 }, (): Event => {
        return { ...unclear(event), outcome: isSure(event) ? 'foreign' : 'unclear' };
      }),
    );
    return { ...history, events: inOrder([...events, ...more]) };
  });
}
