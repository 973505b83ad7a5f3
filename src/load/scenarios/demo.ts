import { LIMITS } from '../../catalogue/limits.ts';
import type { Kind } from '../../trace/exchange.ts';
import type { LanePacing } from '../load-spec.ts';
import { burst, lone } from './waves.ts';

/** Far enough after a lone request for its answer to show what a key at rest has left. */
const LONE_MS = 400;

/**
 * A few seconds that show the point: every key a little past both limits, over many connections at once. The reads of
 * the first key begin cold; the others with a lone request, whose answer shows what is left exactly.
 */
export const demo: LanePacing = {
  pacing: 'lanes',
  lanes: () => 24,
  tracks(spec, lane) {
    return Array.from({ length: Math.min(spec.keys, 2) }, (_, key) => {
      const at = key * 500 + LONE_MS;
      const reads = burst('read', at, lane === 0 ? 12 : 4);
      const writes = burst('write', at + 1_000, lane < LIMITS.write + 2 - 24 ? 2 : 1);
      const first = (kind: Kind, due: number) => lone(lane, kind, due - LONE_MS, 'first');
      return [
        { key, waves: [...(key === 0 ? [] : first('read', at)), reads, ...lone(lane, 'read', 3_400, 'settle')] },
        { key, waves: [...first('write', at + 1_000), writes, ...lone(lane, 'write', 3_600, 'settle')] },
      ];
    }).flat();
  },
};
