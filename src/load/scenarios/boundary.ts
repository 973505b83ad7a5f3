import { LIMITS } from '../../catalogue/limits.ts';
import type { Wave } from '../load-spec.ts';
import { atMarker, burst, byKey, NEXT_WINDOW_MS, paced, staggered } from './waves.ts';

/** Far enough from the boundary for the burst to be answered before it, or to begin after it, on a slow path. */
const BEFORE_MS = -1_500;
const AFTER_MS = 400;

/**
 * The bursts of writes come so much later than those of reads: what is lacking after one must not be taken for what the
 * other used.
 */
const APART_MS = 500;

/**
 * A burst just before the marker and one just after it. The first request opens a window and reads its marker; a window
 * that is nearly over is sat out, so that both bursts have their place.
 */
function around(kind: 'read' | 'write'): Wave[] {
  const limit = LIMITS[kind];
  const later = kind === 'read' ? 0 : APART_MS;
  return [
    burst(kind, later, 1, 'marker'),
    atMarker(burst(kind, BEFORE_MS + later, limit - 1, 'before')),
    atMarker(burst(kind, AFTER_MS + later, limit + 10, 'after')),
    atMarker(burst(kind, 2_500 + later, 1, 'settle')),
    atMarker(paced(kind, NEXT_WINDOW_MS + later, 4, 1_000, 'settle')),
  ];
}

export const boundary = byKey((key) => [staggered(around('read'), key), staggered(around('write'), key)]);
