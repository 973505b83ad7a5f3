import { LIMITS } from '../../catalogue/limits.ts';
import type { LanePacing, Track } from '../load-spec.ts';
import { burst, paced } from './waves.ts';

/** A few seconds that show the point: every key a little past both limits, over many connections at once. */
export const demo: LanePacing = {
  pacing: 'lanes',
  lanes: () => 24,
  tracks(spec, lane) {
    const tracks: Track[] = [];
    for (let key = 0; key < Math.min(spec.keys, 2); key += 1) {
      const reads = [burst('read', key * 500, lane === 0 ? 12 : 4)];
      const writes = [burst('write', key * 500 + 1_000, lane < LIMITS.write + 2 - 24 ? 2 : 1)];
      if (lane === 0) {
        reads.push(paced('read', 3_000, 1, 0, 'settle'));
        writes.push(paced('write', 3_200, 1, 0, 'settle'));
      }
      tracks.push({ key, waves: reads }, { key, waves: writes });
    }
    return tracks;
  },
};
