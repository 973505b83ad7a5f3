import { WINDOW_S } from '../catalogue/limits.ts';
import type { RequestTemplate } from '../profile/profile.ts';
import type { Group, Kind } from '../trace/exchange.ts';

/** Version of the specification of a load run: a k6 script refuses another major. */
export const LOAD_FORMAT = '1';

/** The window of the specification (clause 8), in ms of the run's clock. */
export const WINDOW_MS = WINDOW_S * 1000;

export const SCENARIO_NAMES = [
  'demo',
  'quota-read',
  'quota-write',
  'contention',
  'boundary',
  'isolation',
  'kinds',
  'sustained',
  'stampede',
  'soak',
  'ramp',
] as const;

export type ScenarioName = (typeof SCENARIO_NAMES)[number];

/**
 * Everything that a k6 process needs to know about a load run; short for any number of keys. Pure functions that the
 * scripts and the judge share compute from it who sends which request when. It contains no key and no secret.
 */
export interface LoadSpec {
  readonly format: string;
  /** Ties the records of all instances of one run together. */
  readonly run: string;
  readonly scenario: ScenarioName;
  readonly baseUrl: string;
  /** Times here are in ms of the run's clock, which is this many times faster than real time. */
  readonly scale: number;
  /**
   * T0: real wall time in ms since the Unix epoch at which the run begins, the same on all instances; null: each begins
   * at the next quarter of a minute.
   */
  readonly start: number | null;
  /** How many full keys take part; the i-th is `key-i`, counted from 1. */
  readonly keys: number;
  readonly reads: readonly LoadTemplate[];
  readonly writes: readonly LoadTemplate[];
  /** Real ms until an unanswered request is given up. */
  readonly timeout: number;
  readonly insecure: boolean;
  /**
   * Length in seconds of the run's clock, and the highest requests per second of it, of the scenarios that leave these
   * open.
   */
  readonly seconds: number;
  readonly rate: number;
}

/**
 * An operation that can be repeated without preparation: none of its template variables needs a capture. Its headers
 * have `…` for values.
 */
export interface LoadTemplate extends RequestTemplate {
  readonly operation: string;
  readonly group: Group;
}

/** Requests that leave together, once or at regular intervals. */
export interface Wave {
  /**
   * ms of the run's clock after T0, or after (negative: before) the end of the window that the track's last marker
   * told.
   */
  readonly at: number;
  readonly from: 'start' | 'marker';
  readonly kind: Kind;
  /** Requests at once. */
  readonly count: number;
  /** How many times, `every` ms apart. */
  readonly times: number;
  readonly every: number;
  readonly step: string;
  /**
   * Left out: 0. For a wave after a marker: its window begins at least this many ms after T0; one that begins sooner is
   * sat out.
   */
  readonly notBefore?: number;
}

/** What one lane sends on one key, in order of time. */
export interface Track {
  /** Index of the key, from 0. */
  readonly key: number;
  readonly waves: readonly Wave[];
}

/**
 * Closed set of requests at given times. A lane is one iteration of one k6 VU (`idInTest − 1`), so k6's own execution
 * segments shard a run; missing or repeated lanes show in the records.
 */
export interface LanePacing {
  readonly pacing: 'lanes';
  lanes(spec: LoadSpec): number;
  tracks(spec: LoadSpec, lane: number): readonly Track[];
}

/** Open model: k6's arrival-rate executors. The i-th iteration's key and operation follow from i. */
export interface ArrivalPacing {
  readonly pacing: 'arrivals';
  stages(spec: LoadSpec): readonly Stage[];
}

/** The rate goes evenly from `from` to `to` requests a minute (of the run's clock) in `seconds`. */
export interface Stage {
  readonly from: number;
  readonly to: number;
  readonly seconds: number;
}

export type Pacing = LanePacing | ArrivalPacing;
