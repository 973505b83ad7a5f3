import { LIMITS } from '../../catalogue/limits.ts';
import { type LanePacing, type Track, type Wave, WINDOW_MS } from '../load-spec.ts';
import { ownedLanes, paced } from './waves.ts';

/** How many times its limit the first key sends in the minute of the stampede. */
const TIMES_LIMIT = 10;
/** Neighbours stay at this share of theirs. */
const SHARE = 0.6;

function neighbour(offset: number): Wave[] {
  const reads = Math.floor(LIMITS.read * SHARE);
  const writes = Math.floor(LIMITS.write * SHARE);
  return [
    paced('read', offset, 2 * reads, WINDOW_MS / reads, 'neighbour'),
    paced('write', offset + 250, 2 * writes, WINDOW_MS / writes, 'neighbour'),
  ];
}

/**
 * The first key stampedes for a minute, half a minute after the others have begun: they stay under their limit throughout, and must
 * see neither a refusal nor, as far as their own half minute before tells, slower answers.
 */
export const isolation: LanePacing = {
  pacing: 'lanes',
  lanes: ownedLanes,
  tracks(spec, lane) {
    const tracks: Track[] = [];
    const lanes = ownedLanes(spec);
    for (let key = lane; key < spec.keys; key += lanes) {
      if (key === 0) {
        const requests = LIMITS.read * TIMES_LIMIT;
        tracks.push({ key, waves: [paced('read', WINDOW_MS / 2, requests, WINDOW_MS / requests, 'stampede')] });
        const writes = LIMITS.write * TIMES_LIMIT;
        tracks.push({ key, waves: [paced('write', WINDOW_MS / 2, writes, WINDOW_MS / writes, 'stampede')] });
        continue;
      }
      const offset = (key * 37) % 500;
      for (const wave of neighbour(offset)) tracks.push({ key, waves: [wave] });
    }
    return tracks;
  },
};
