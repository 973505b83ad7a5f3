import { LIMITS } from '../../catalogue/limits.ts';
import type { Kind } from '../../trace/exchange.ts';
import { type LanePacing, type Wave, WINDOW_MS } from '../load-spec.ts';
import { atMarker, burst, byKey, FORGOTTEN_MS, paced, spread, staggered } from './waves.ts';

/** Lone requests across the end of a window: between the last refusal and the first acceptance the budget came back. */
const SPACING_MS = 200;

/** A window's end seen closely, and its successor's marker. */
function change(kind: Kind): Wave[] {
  return [atMarker(paced(kind, -900, 10, SPACING_MS, 'return')), atMarker(burst(kind, 1_400, 1, 'marker'))];
}

/**
 * Each key to its limit and past it in three windows: at once, at once again as soon as the second has begun, and in
 * two pulses, when whatever was used before the run is forgotten: then the first answer shows what a key at rest has
 * left. Lone requests show that what is spent stays spent, and close in on the moment at which it comes back; two such
 * moments give the length of the window.
 */
export function quota(kind: Kind): LanePacing {
  return byKey((key) => [staggered(wavesOf(kind, spread(key)), key)]);
}

/** @param later ms by which bursts within a window are put off */
function wavesOf(kind: Kind, later: number): Wave[] {
  const limit = LIMITS[kind];
  const half = Math.ceil(limit / 2);
  const begun = later - WINDOW_MS;
  const third = (wave: Wave): Wave => ({ ...atMarker(wave), notBefore: FORGOTTEN_MS });
  return [
    burst(kind, 0, 1, 'marker'),
    burst(kind, 100, limit + 10),
    paced(kind, 2_000, 2, 1_000, 'poll'),
    ...change(kind),
    atMarker(burst(kind, begun + 2_000, limit + 10, 'burst')),
    atMarker(paced(kind, -25_000, 3, 10_000, 'poll')),
    ...change(kind),
    third(burst(kind, begun + 1_000, 1, 'first')),
    third(burst(kind, begun + 2_000, half, 'pulse')),
    third(burst(kind, begun + 6_000, half + 10, 'pulse')),
    third(paced(kind, begun + 9_000, 2, 1_000, 'settle')),
  ];
}
