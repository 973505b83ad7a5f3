import { LIMITS } from '../../catalogue/limits.ts';
import type { LanePacing, Track, Wave } from '../load-spec.ts';
import { burst, NEXT_WINDOW_MS, paced } from './waves.ts';

/** Keys that are taken to their limit cold, a few seconds apart: a race on the first request of a key shows only once for each key. */
const MOST_KEYS = 4;
const APART_MS = 4_000;

/**
 * One key, many connections: each lane sends one request of the burst, so that all of them share the key on purpose, and
 * over all instances. First cold (the key's first requests are the burst), then warm in a new window.
 */
export const contention: LanePacing = {
  pacing: 'lanes',
  lanes: () => LIMITS.read + 20,
  tracks(spec, lane) {
    const tracks: Track[] = [];
    for (let key = 0; key < Math.min(spec.keys, MOST_KEYS); key += 1) {
      const reads: Wave[] = [];
      const writes: Wave[] = [];
      const cold = key * APART_MS;
      for (const at of [cold, cold + NEXT_WINDOW_MS]) {
        reads.push(burst('read', at, 1));
        if (lane === 0) reads.push(paced('read', at + 2_500, 1, 0, 'settle'));
        if (lane >= LIMITS.write + 10) continue;
        writes.push(burst('write', at + 1_000, 1));
        if (lane === 0) writes.push(paced('write', at + 3_500, 1, 0, 'settle'));
      }
      tracks.push({ key, waves: reads });
      if (writes.length > 0) tracks.push({ key, waves: writes });
    }
    return tracks;
  },
};
