import { LIMITS } from '../../catalogue/limits.ts';
import type { Kind } from '../../trace/exchange.ts';
import type { LanePacing } from '../load-spec.ts';
import { burst } from './waves.ts';

/** A few seconds that show the point: every key a little past both limits, over many connections at once. */
export const demo: LanePacing = {
  pacing: 'lanes',
  lanes: () => 24,
  tracks(spec, lane) {
    const last = (kind: Kind, at: number) => (lane === 0 ? [burst(kind, at, 1, 'settle')] : []);
    return Array.from({ length: Math.min(spec.keys, 2) }, (_, key) => {
      const reads = burst('read', key * 500, lane === 0 ? 12 : 4);
      const writes = burst('write', key * 500 + 1_000, lane < LIMITS.write + 2 - 24 ? 2 : 1);
      return [
        { key, waves: [reads, ...last('read', 3_000)] },
        { key, waves: [writes, ...last('write', 3_200)] },
      ];
    }).flat();
  },
};
