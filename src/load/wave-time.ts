import { realWall, scaledWall } from '../clock/scaled-time.ts';
import { windowEnd } from '../drive/window-end.ts';
import type { CapturedHeaders } from '../trace/exchange.ts';
import { type LoadSpec, type Wave, WINDOW_MS } from './load-spec.ts';

/**
 * If a window ends sooner than this after its marker was read, the lane waits for the next one: the last burst would
 * not fit.
 */
const LEAST_LEAD_MS = 3_000;

/** The answer to a marker request: its headers, and the real wall time in ms when it had arrived. */
export interface MarkerAnswer {
  readonly headers: CapturedHeaders;
  readonly answered: number;
}

/**
 * The real wall time in ms at which a wave's `turn`-th repetition is due. If the marker cannot be read, the wave is
 * aimed at one window after the marker request: this is a guess, and no verdict uses it.
 *
 * @param start T0 in real wall ms
 */
export function waveTime(spec: LoadSpec, wave: Wave, turn: number, start: number, marker: MarkerAnswer | null): number {
  const offset = (wave.at + turn * wave.every) / spec.scale;
  if (wave.from === 'start' || marker === null) return start + offset;
  const epoch = scaledWall(start * 1000, spec.scale);
  const answered = scaledWall(marker.answered * 1000, spec.scale) - epoch;
  let end = windowEnd(marker.headers, epoch, answered) ?? answered + WINDOW_MS * 1000;
  const { notBefore = 0 } = wave;
  while (end - answered < LEAST_LEAD_MS * 1000 || end < (notBefore + WINDOW_MS) * 1000) end += WINDOW_MS * 1000;
  return realWall(epoch + end, spec.scale) / 1000 + offset;
}

/** T0 for an instance without a given one: the next quarter of a minute that is at least two seconds away. */
export function startAfter(now: number): number {
  return Math.ceil((now + 2_000) / 15_000) * 15_000;
}
