import { LIMITS } from '../../catalogue/limits.ts';
import type { Kind } from '../../trace/exchange.ts';
import { type LanePacing, type LoadSpec, type Track, type Wave, WINDOW_MS } from '../load-spec.ts';

/** k6 keeps a JavaScript machine for each lane, so keys share lanes where there are more keys than this. */
const MOST_LANES = 200;

/**
 * ms after which a window that began with a burst is over for certain. Far more than a window and a second: two bursts
 * whose answers are slow must not both lie across the same point of a minute, where the buckets of a sliding counter
 * might meet and excuse what no other mechanism lets through.
 */
export const NEXT_WINDOW_MS = WINDOW_MS + 7_500;

/**
 * ms after which even a sliding counter has forgotten a burst and the few requests that follow it: it weighs the window
 * before, and none that went before that.
 */
export const FORGOTTEN_MS = 2 * WINDOW_MS + 15_000;

/** `count` requests of one kind at once, `at` ms after T0. */
export function burst(kind: Kind, at: number, count: number, step = 'burst'): Wave {
  return { at, from: 'start', kind, count, times: 1, every: 0, step };
}

/** One request of one kind, which the first of the lanes sends for all. */
export function lone(lane: number, kind: Kind, at: number, step: string): Wave[] {
  return lane === 0 ? [burst(kind, at, 1, step)] : [];
}

/** One request at a time: `times` of them, `every` ms apart, the first `at` ms after T0. */
export function paced(kind: Kind, at: number, times: number, every: number, step = 'paced'): Wave {
  return { at, from: 'start', kind, count: 1, times, every, step };
}

/** The wave, timed from the end of the window that the track's last marker told. */
export function atMarker(wave: Wave): Wave {
  return { ...wave, from: 'marker' };
}

/** Ten times a key's limit, one by one and evenly over a window. */
export function flood(kind: Kind, at: number): Wave {
  const requests = LIMITS[kind] * 10;
  return paced(kind, at, requests, WINDOW_MS / requests, 'stampede');
}

/**
 * A scenario in which each key is owned by one lane: the n-th lane has the keys n, n + lanes, n + 2 · lanes …
 *
 * @param wavesOf what is sent on a key, counted from 0: lists of waves, which go side by side
 */
export function byKey(wavesOf: (key: number) => readonly Wave[][]): LanePacing {
  const lanes = ({ keys }: LoadSpec): number => Math.min(keys, MOST_LANES);
  return {
    pacing: 'lanes',
    lanes,
    tracks(spec, lane) {
      const tracks: Track[] = [];
      for (let key = lane; key < spec.keys; key += lanes(spec)) {
        for (const waves of wavesOf(key)) tracks.push({ key, waves });
      }
      return tracks;
    },
  };
}

/**
 * Keys that burst in the same second: beyond them, each further group begins a second later, so that many keys are no
 * single blow.
 */
const KEYS_A_SECOND = 8;

/** A key's waves, later by its turn; those that are aimed at a marker come later by themselves. */
export function staggered(waves: readonly Wave[], key: number): Wave[] {
  const later = Math.floor(key / KEYS_A_SECOND) * 1_000;
  return waves.map((wave) => (wave.from === 'start' ? { ...wave, at: wave.at + later } : wave));
}

/**
 * ms by which a key's bursts within a window come later: windows of all keys may end at once, and their bursts need not
 * begin at once.
 */
export function spread(key: number): number {
  return (Math.floor(key / KEYS_A_SECOND) % 25) * 1_000;
}
