import { LIMITS } from '../../catalogue/limits.ts';
import { type Wave, WINDOW_MS } from '../load-spec.ts';
import { byKey, flood, paced } from './waves.ts';

/** Neighbours stay at this share of their limits. */
const SHARE = 0.6;

function neighbour(offset: number): Wave[][] {
  const reads = Math.floor(LIMITS.read * SHARE);
  const writes = Math.floor(LIMITS.write * SHARE);
  return [
    [paced('read', offset, 2 * reads, WINDOW_MS / reads, 'neighbour')],
    [paced('write', offset + 250, 2 * writes, WINDOW_MS / writes, 'neighbour')],
  ];
}

/**
 * The first key stampedes for a minute, half a minute after the others have begun: they stay under their limit
 * throughout, and must see neither a refusal nor, as far as their own half minute before tells, slower answers.
 */
export const isolation = byKey((key) =>
  key === 0 ? [[flood('read', WINDOW_MS / 2)], [flood('write', WINDOW_MS / 2)]] : neighbour((key * 37) % 500),
);
