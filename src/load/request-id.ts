import type { Kind } from '../trace/exchange.ts';
import { arrivalKind } from './arrivals.ts';
import type { LoadSpec, LoadTemplate, Track, Wave } from './load-spec.ts';
import { SCENARIOS } from './scenario.ts';

/**
 * A request of a load run has one number, from which everything about it follows. On a lane it is the lane's number
 * times this, plus its place in the lane's tracks, wave after wave; in the open model it is the iteration's number in
 * the test.
 */
export const LANE_STRIDE = 1_000_000;

/** The properties of a request, computed from its number. */
export interface PlannedRequest {
  readonly key: number;
  readonly kind: Kind;
  readonly step: string;
  readonly template: LoadTemplate;
}

/** A wave of a lane's track, and the number of its first request. */
export interface NumberedWave {
  readonly track: Track;
  readonly wave: Wave;
  readonly first: number;
}

/** The waves of a lane with the number of their first request, in the order of numbering. */
export function numberedWaves(tracks: readonly Track[], lane: number): NumberedWave[] {
  let next = lane * LANE_STRIDE;
  return tracks.flatMap((track) =>
    track.waves.map((wave) => {
      const first = next;
      next += wave.count * wave.times;
      return { track, wave, first };
    }),
  );
}

/** What a request of a wave is. */
export function requestOf(spec: LoadSpec, { track, wave }: NumberedWave, id: number): PlannedRequest {
  const { kind, step } = wave;
  return { key: track.key, kind, step, template: templateOf(spec, kind, id % LANE_STRIDE) };
}

/**
 * The operation of the n-th request of a kind: all suitable ones in turn. Throws a RangeError if the profile has none.
 */
export function templateOf(spec: LoadSpec, kind: Kind, n: number): LoadTemplate {
  const templates = kind === 'read' ? spec.reads : spec.writes;
  const template = templates[n % templates.length];
  if (!template) throw new RangeError(`the load specification names no ${kind} operation`);
  return template;
}

/**
 * A function from a request's number to what it is; null for a number that the plan does not have. Remembers the lanes
 * it has seen.
 */
export function requestLookup(spec: LoadSpec): (id: number) => PlannedRequest | null {
  const { pacing } = SCENARIOS[spec.scenario];
  if (pacing.pacing === 'arrivals') {
    return (id) => {
      const kind = arrivalKind(id, spec.keys);
      const turn = Math.floor(id / spec.keys);
      return { key: id % spec.keys, kind, step: 'paced', template: templateOf(spec, kind, turn) };
    };
  }
  const lanes = pacing.lanes(spec);
  const known = new Map<number, NumberedWave[]>();
  return (id) => {
    const lane = Math.floor(id / LANE_STRIDE);
    if (!(lane >= 0 && lane < lanes)) return null;
    const waves = known.get(lane) ?? numberedWaves(pacing.tracks(spec, lane), lane);
    known.set(lane, waves);
    const found = waves.findLast(({ first }) => first <= id);
    if (!found || id >= found.first + found.wave.count * found.wave.times) return null;
    return requestOf(spec, found, id);
  };
}
