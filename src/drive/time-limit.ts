import { WINDOW_S } from '../catalogue/limits.ts';
import type { Clock } from '../clock/clock.ts';
import type { Mode } from '../plan/tracks.ts';

/** A run took longer than it may. The message says how long, and what to look at. */
export class TimeSpent extends Error {
  override name = 'TimeSpent';
}

/**
 * Seconds of the run's clock after which a check ends, whatever is under way: the minute that it may wait for a spent budget, and one more for at
 * most sixty requests. On a target that answers within the second it takes a few.
 */
const CHECK_S = 2 * WINDOW_S;

/** Ends a check that takes too long, on a target that sends a byte a second, say. Gives what ends the watch. */
export function limitTime(mode: Mode, clock: Clock, end: (reason: TimeSpent) => void): () => void {
  if (mode !== 'check') return () => {};
  const watch = new AbortController();
  clock.sleepUntil(CHECK_S * 1e6, watch.signal).then(
    () => end(new TimeSpent(`a check takes at most ${CHECK_S} s, but the target answers too slowly for that`)),
    () => {},
  );
  return () => watch.abort();
}
