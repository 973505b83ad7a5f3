import { LIMITS } from '../../catalogue/limits.ts';
import type { Kind } from '../../trace/exchange.ts';
import type { LanePacing, Track } from '../load-spec.ts';
import { burst, FORGOTTEN_MS, lone, NEXT_WINDOW_MS } from './waves.ts';

/**
 * Keys that are taken to their limit cold, a few seconds apart: a race on the first request of a key shows only once
 * for each key.
 */
const MOST_KEYS = 4;
const APART_MS = 4_000;

/** Far enough after a lone request for its answer to show what a key at rest has left. */
const LONE_MS = 500;

/**
 * One key, many connections: each lane sends one request of the burst, so that all of them share the key on purpose,
 * and over all instances. First cold (the key's first requests are the burst), then warm in a new window, and again,
 * after a lone request, when whatever was used before the run is forgotten: it excuses nothing then.
 */
export const contention: LanePacing = {
  pacing: 'lanes',
  lanes: () => LIMITS.read + 20,
  tracks(spec, lane) {
    const track = (key: number, kind: Kind, later: number): Track => {
      const cold = key * APART_MS + later;
      const each = (at: number) => [burst(kind, at, 1), ...lone(lane, kind, at + 2_500, 'settle')];
      const last = cold + FORGOTTEN_MS;
      const first = lone(lane, kind, last - LONE_MS, 'first');
      return { key, waves: [...each(cold), ...each(cold + NEXT_WINDOW_MS), ...first, ...each(last)] };
    };
    return Array.from({ length: Math.min(spec.keys, MOST_KEYS) }, (_, key) => [
      track(key, 'read', 0),
      ...(lane < LIMITS.write + 10 ? [track(key, 'write', 1_000)] : []),
    ]).flat();
  },
};
