import { LIMITS } from '../../catalogue/limits.ts';
import type { Wave } from '../load-spec.ts';
import { burst, byKey, FORGOTTEN_MS, paced, staggered } from './waves.ts';

/** A round of lone requests takes so long. */
const ROUND_MS = 6_000;

function rounds(kind: 'read' | 'write'): Wave[] {
  const requests = LIMITS[kind] + 10;
  return [
    burst(kind, 0, requests),
    paced(kind, 3_000, 3, 2_000, 'settle'),
    paced(kind, FORGOTTEN_MS, requests, ROUND_MS / requests),
    paced(kind, FORGOTTEN_MS + ROUND_MS + 2_000, 2, 2_000, 'settle'),
  ];
}

/**
 * Reads and writes of a key past their limits at once, each of which has a budget of its own: all at the same moment,
 * and then one by one. What seems missing in the first round may have been spent before the run, and of what is under
 * way at once nobody knows which was counted first; in the second round nothing that went before is left, and each
 * answer tells what came before it.
 */
export const kinds = byKey((key) => [staggered(rounds('read'), key), staggered(rounds('write'), key)]);
