/**
 * Where scaled wall time and real wall time meet: 2026-11-01T00:00:00Z in µs since the Unix epoch. A constant, so that
 * two processes given the same scale agree on the time without talking to each other.
 */
export const SCALED_EPOCH = Date.UTC(2026, 10, 1) * 1000;

/**
 * The wall time of a clock of this scale (µs since the Unix epoch) at a real wall time (µs); the same where the scale
 * is 1.
 */
export function scaledWall(real: number, scale: number): number {
  return scale === 1 ? real : SCALED_EPOCH + (real - SCALED_EPOCH) * scale;
}

/** The real wall time (µs) at a wall time of a clock of this scale (µs): the inverse of `scaledWall`. */
export function realWall(scaled: number, scale: number): number {
  return scale === 1 ? scaled : SCALED_EPOCH + (scaled - SCALED_EPOCH) / scale;
}
