import { arrivalCount } from './arrivals.ts';
import { type LoadSpec, WINDOW_MS } from './load-spec.ts';
import { SCENARIOS } from './scenario.ts';

/** The load on the target and the duration of a load run. */
export interface Extent {
  readonly requests: number;
  /**
   * From T0 to the last request at the latest, in seconds of the run's clock: each awaited marker may be a window away.
   */
  readonly seconds: number;
  /** Most requests in any one second of real time (a burst is at once). */
  readonly peak: number;
  /** How many keys take part, from the first on. */
  readonly keys: number;
  /** VUs of k6; in the open model k6 creates them as needed. */
  readonly lanes: number | null;
}

/** Latest end of a window that begins no sooner than a time, in ms after T0: another one may begin just before it. */
function latestEnd(notBefore: number): number {
  return notBefore === 0 ? 0 : notBefore + 2 * WINDOW_MS;
}

/** Adds up the requests of a specification, with the same arithmetic as the k6 scripts. */
export function extentOf(spec: LoadSpec): Extent {
  const { pacing } = SCENARIOS[spec.scenario];
  if (pacing.pacing === 'arrivals') {
    const stages = pacing.stages(spec);
    const rates = stages.flatMap(({ from, to }) => [from, to]);
    const requests = arrivalCount(stages);
    return {
      requests,
      keys: Math.min(spec.keys, requests),
      seconds: stages.reduce((sum, stage) => sum + stage.seconds, 0),
      peak: Math.ceil((Math.max(0, ...rates) / 60) * spec.scale),
      lanes: null,
    };
  }
  const perSecond = new Map<number, number>();
  const lanes = pacing.lanes(spec);
  let requests = 0;
  let keys = 0;
  let last = 0;
  for (let lane = 0; lane < lanes; lane += 1) {
    for (const { key, waves } of pacing.tracks(spec, lane)) {
      keys = Math.max(keys, key + 1);
      let markers = 0;
      for (const { at, from, count, times, every, step, notBefore = 0 } of waves) {
        requests += count * times;
        for (let turn = 0; turn < times; turn += 1) {
          const due = at + turn * every + (from === 'marker' ? Math.max(markers * WINDOW_MS, latestEnd(notBefore)) : 0);
          const second = Math.floor(due / 1000 / spec.scale);
          perSecond.set(second, (perSecond.get(second) ?? 0) + count);
          last = Math.max(last, due);
        }
        if (step === 'marker') markers += 1;
      }
    }
  }
  const peak = [...perSecond.values()].reduce((most, each) => Math.max(most, each), 0);
  return { requests, seconds: last / 1000, peak, keys, lanes };
}
