import type { Kind } from '../../trace/exchange.ts';
import { type LanePacing, LIMITS } from '../load-spec.ts';
import { burst, NEXT_WINDOW_MS, ownedLanes, ownedTracks, paced, staggered } from './waves.ts';

/**
 * Each key to its limit and past it in three windows: at once, in two pulses, and at once again; between them lone
 * requests show that what is spent stays spent, and that it comes back.
 */
export function quota(kind: Kind): LanePacing {
  const limit = LIMITS[kind];
  const half = Math.ceil(limit / 2);
  const second = NEXT_WINDOW_MS;
  const third = 2 * NEXT_WINDOW_MS;
  const waves = [
    burst(kind, 0, limit + 10),
    paced(kind, 3_000, 10, 5_500, 'poll'),
    burst(kind, second, half, 'pulse'),
    burst(kind, second + 4_000, half + 10, 'pulse'),
    paced(kind, second + 8_000, 9, 5_500, 'poll'),
    burst(kind, third, limit + 10),
    paced(kind, third + 3_000, 2, 1_000, 'settle'),
  ];
  return {
    pacing: 'lanes',
    lanes: ownedLanes,
    tracks: (spec, lane) => ownedTracks(spec, lane, (key) => [staggered(waves, key)]),
  };
}
