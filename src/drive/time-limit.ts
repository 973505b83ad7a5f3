import { WINDOW_S } from '../catalogue/limits.ts';
import type { Clock } from '../clock/clock.ts';
import type { Mode } from '../plan/tracks.ts';

/** A run took longer than allowed. The message says how long, and what to check. */
export class TimeSpent extends Error {
  override name = 'TimeSpent';
}

/**
 * Seconds of the run's clock after which a check ends in any case: the minute that it may wait for a spent budget, and
 * one more for at most sixty requests. If the target answers within a second, it takes a few seconds.
 */
const CHECK_S = 2 * WINDOW_S;

/**
 * Ends a check that takes too long, for example because the target sends one byte a second. Returns a function that
 * ends the supervision.
 */
export function limitTime(mode: Mode, clock: Clock, end: (reason: TimeSpent) => void): () => void {
  if (mode !== 'check') return () => {};
  const watch = new AbortController();
  clock.sleepUntil(CHECK_S * 1e6, watch.signal).then(
    () => end(new TimeSpent(`a check takes at most ${CHECK_S} s, but the target answers too slowly for that`)),
    () => {},
  );
  return () => watch.abort();
}
