import { LIMITS } from '../../catalogue/limits.ts';
import type { Wave } from '../load-spec.ts';
import { atMarker, burst, byKey, NEXT_WINDOW_MS, staggered } from './waves.ts';

/** Far enough from the boundary for the burst to be answered before it, or to begin after it, on a slow path. */
const BEFORE_MS = -1_500;
const AFTER_MS = 400;

/**
 * A burst just before the marker and one just after it. The first request opens a window and reads its marker; a window
 * that is nearly over is sat out, so that both bursts have their place.
 */
function around(kind: 'read' | 'write'): Wave[] {
  const limit = LIMITS[kind];
  return [
    burst(kind, 0, 1, 'marker'),
    atMarker(burst(kind, BEFORE_MS, limit - 1, 'before')),
    atMarker(burst(kind, AFTER_MS, limit + 10, 'after')),
    atMarker(burst(kind, 2_500, 1, 'settle')),
    atMarker(burst(kind, NEXT_WINDOW_MS, 2, 'settle')),
  ];
}

export const boundary = byKey((key) => [staggered(around('read'), key), staggered(around('write'), key)]);
