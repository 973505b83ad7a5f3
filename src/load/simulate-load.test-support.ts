import type { OtherUse } from '../accuracy/virtual/virtual-run.ts';
import { type SimulatedRequest, Simulation, type SimulationOptions } from '../reference/simulate.test-support.ts';
import { traceOf } from '../reference/simulated-trace.test-support.ts';
import type { Trace } from '../trace/trace.ts';
import type { LoadSpec } from './load-spec.ts';
import { type NumberedWave, numberedWaves, requestOf } from './request-id.ts';
import { SCENARIOS } from './scenario.ts';
import { type MarkerAnswer, waveTime } from './wave-time.ts';

/** µs after which the answer to a marker is there for certain: longer than any network of a simulation takes. */
const PATIENCE = 2_000_000;

/** The experiment of the requests that somebody else sends. */
const OTHERS = 'others';

/**
 * What a lane-paced scenario records of a target in virtual time: the waves that k6 would send, when it would send
 * them. The target, its conduct and the network are those of `options`; the run begins at the specification's T0.
 *
 * @param others requests of somebody else, whose answers the run does not see
 */
export function simulateLoad(
  spec: LoadSpec,
  options: Omit<SimulationOptions, 'epoch'>,
  others: readonly OtherUse[] = [],
): Trace {
  const { pacing, requirements } = SCENARIOS[spec.scenario];
  const { start } = spec;
  if (pacing.pacing !== 'lanes' || start === null) throw new Error('only for lanes with a T0');
  const epoch = start * 1000;
  const simulation = new Simulation({ ...options, epoch });

  for (const { key, kind, requests, at, every } of others) {
    for (let i = 0; i < requests; i += 1) simulation.send({ at: at + every * i, key, kind, experiment: OTHERS });
  }

  const send = (numbered: NumberedWave, turn: number, at: number): void => {
    const { wave, first } = numbered;
    for (let i = 0; i < wave.count; i += 1) {
      const id = first + turn * wave.count + i;
      const { key, kind, step, template } = requestOf(spec, numbered, id);
      const { operation, group, method, path } = template;
      const request: SimulatedRequest = {
        at,
        key: `key-${key + 1}`,
        kind,
        step,
        operation,
        group,
        method,
        target: path,
      };
      // k6 writes the requests of a wave one after the other.
      simulation.send({ ...request, at: at + 10 * i, experiment: spec.scenario, connection: simulation.connection() });
    }
  };

  const follow = (waves: readonly NumberedWave[], from: number, marker: MarkerAnswer | null, now: number): void => {
    for (const [index, numbered] of waves.entries()) {
      if (index < from) continue;
      const { wave } = numbered;
      for (let turn = 0; turn < wave.times; turn += 1) {
        const due = Math.round(waveTime(spec, wave, turn, start, marker) * 1000 - epoch);
        const at = Math.max(now, due);
        send(numbered, turn, at);
        if (wave.step !== 'marker') continue;
        const key = `key-${numbered.track.key + 1}`;
        simulation.at(at + PATIENCE, () => {
          const [answer] = simulation.answers(key, wave.kind, at + PATIENCE).filter(({ sent }) => sent === at);
          const answered = (epoch + (answer?.answered ?? at)) / 1000;
          follow(waves, index + 1, answer ? { headers: answer.headers, answered } : null, at + PATIENCE);
        });
        return;
      }
    }
  };

  for (let lane = 0; lane < pacing.lanes(spec); lane += 1) {
    const tracks = pacing.tracks(spec, lane);
    const numbered = numberedWaves(tracks, lane);
    for (const track of tracks) {
      follow(
        numbered.filter((each) => each.track === track),
        0,
        null,
        0,
      );
    }
  }
  const own = simulation.run().filter(({ experiment }) => experiment !== OTHERS);
  const trace = traceOf(own, epoch, options.seed);
  return { ...trace, header: { ...trace.header, command: 'load', selection: requirements } };
}
