import { type LanePacing, LIMITS, type Wave } from '../load-spec.ts';
import { burst, FORGOTTEN_MS, ownedLanes, ownedTracks, paced, staggered } from './waves.ts';

function bursts(kind: 'read' | 'write'): Wave[] {
  return [0, FORGOTTEN_MS].flatMap((at) => [
    burst(kind, at, LIMITS[kind] + 10),
    paced(kind, at + 3_000, 3, 2_000, 'settle'),
  ]);
}

/**
 * Reads and writes of a key at once: each has a budget of its own. Requests that seem missing in the first round may have been spent
 * before the run; in the second nothing that went before is left, so that each budget has to be there in full.
 */
export const kinds: LanePacing = {
  pacing: 'lanes',
  lanes: ownedLanes,
  tracks: (spec, lane) =>
    ownedTracks(spec, lane, (key) => [staggered(bursts('read'), key), staggered(bursts('write'), key)]),
};
