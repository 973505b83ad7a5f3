import { LIMITS } from '../../catalogue/limits.ts';
import { type LanePacing, type Wave, WINDOW_MS } from '../load-spec.ts';
import { ownedLanes, ownedTracks, paced } from './waves.ts';

const TIMES_LIMIT = 10;

function flood(kind: 'read' | 'write', offset: number): Wave[] {
  const requests = LIMITS[kind] * TIMES_LIMIT;
  return [
    paced(kind, offset, requests, WINDOW_MS / requests, 'stampede'),
    paced(kind, offset + 3 * WINDOW_MS, 5, 2_000, 'recovery'),
  ];
}

/** Every key at ten times its quota for a minute, then silence for two (a sliding counter forgets by then), then the recovery. */
export const stampede: LanePacing = {
  pacing: 'lanes',
  lanes: ownedLanes,
  tracks: (spec, lane) =>
    ownedTracks(spec, lane, (key) => [flood('read', (key * 7) % 60), flood('write', (key * 7) % 60)]),
};
