import type { Exchange } from '../trace/exchange.ts';
import { dueAt } from './arrivals.ts';
import { clockOffsets } from './clock-offsets.ts';
import { InstanceReader } from './instance-records.ts';
import { type JoinedLoad, Joiner } from './join-instances.ts';
import type { LoadSpec } from './load-spec.ts';
import { encodeField } from './record-line.ts';
import { numberedWaves, requestLookup } from './request-id.ts';
import { SCENARIOS } from './scenario.ts';

/** The records of an instance, read to their end. */
export function readLog(name: string, lines: Iterable<string>, survey = false): InstanceReader {
  const reader = new InstanceReader(name, survey);
  for (const line of lines) reader.read([line]);
  reader.end();
  return reader;
}

/** Logs of instances, joined as those of one machine, or as those of several. */
export function joinLogs(
  logs: readonly { readonly name: string; readonly lines: readonly string[] }[],
  { sameHost }: { readonly sameHost: boolean },
): JoinedLoad & { readonly exchanges: readonly Exchange[] } {
  const surveyed = logs.map(({ name, lines }) => readLog(name, lines, true).records);
  const readers = logs.map(({ name, lines }) => readLog(name, lines));
  const joiner = new Joiner(readers, sameHost ? null : clockOffsets(surveyed, { sameHost }));
  const exchanges = joiner.take();
  return { ...joiner.finish(), exchanges };
}

/** How a made-up k6 instance saw the world. */
export interface MadeInstance {
  readonly spec: LoadSpec;
  readonly instance: number;
  readonly instances: number;
  /** How far its wall clock is ahead of true time, in ms. */
  readonly ahead?: number;
  /** How old the `Date` is that its backend sends, in ms: servers make it once a second, and keep it. */
  readonly stale?: number;
  /** ms between a request's sending and its answer. */
  readonly latency?: number;
  /** Keep only so many of the answers, from the first on: k6 was killed then. */
  readonly answers?: number;
}

/**
 * The log of one instance of the open model whose requests, the first `sent` of the plan, were all accepted in one
 * window: not even k6 marks an end there.
 */
export function* madeArrivals(spec: LoadSpec, sent: number): Generator<string> {
  const { start, scenario } = spec;
  const { pacing } = SCENARIOS[scenario];
  if (pacing.pacing !== 'arrivals' || start === null) throw new Error('only for arrivals with a T0');
  yield `=|${JSON.stringify(spec)}`;
  yield `~|0|${start}|0`;
  yield `@|0|${start}|0:1`;
  const used = new Map<string, number>();
  for (let id = 0; id < sent; id += 1) {
    const { key = 0, kind = 'read' } = requestLookup(spec)(id) ?? {};
    const budget = `${key} ${kind}`;
    used.set(budget, (used.get(budget) ?? 0) + 1);
    const due = Math.round(dueAt(pacing.stages(spec), id));
    const at = due * 1000;
    const limit = kind === 'write' ? 30 : 100;
    const rate = `${limit}|${limit - (used.get(budget) ?? 0)}|${start / 1000 + 60}`;
    yield `>|${id}|1|${start + due}|${at}`;
    yield `<|${id}|${at}|${at + 900}|200|${rate}|${new Date(start + due).toUTCString()}|-`;
  }
}

/** ms that an instance starts before T0. */
const LEAD_MS = 1_000;

/**
 * The log of an instance of a lane-paced run in which every request left on time and was answered with 200, as k6
 * writes it. Lanes are dealt out in turn, which is one of the ways in which k6 deals them.
 */
export function* madeLog(made: MadeInstance): Generator<string> {
  const { spec, instance, instances, ahead = 0, stale = 0, latency = 5 } = made;
  const { pacing } = SCENARIOS[spec.scenario];
  if (pacing.pacing !== 'lanes' || spec.start === null) throw new Error('only for lanes with a T0');
  const wall = spec.start - LEAD_MS + ahead;
  const segment = encodeField(instances === 1 ? '0:1' : `${instance}/${instances}:${instance + 1}/${instances}`);
  yield `=|${JSON.stringify(spec)}`;
  yield `~|0|${wall}|0`;
  const lookup = requestLookup(spec);
  const answers: { at: number; line: string }[] = [];
  for (let lane = instance; lane < pacing.lanes(spec); lane += instances) {
    yield `@|${lane}|${spec.start}|${segment}`;
    for (const { wave, first } of numberedWaves(pacing.tracks(spec, lane), lane)) {
      for (let turn = 0; turn < wave.times; turn += 1) {
        const due = wave.at + turn * wave.every;
        const clock = (due + LEAD_MS) * 1000;
        const id = first + turn * wave.count;
        yield `>|${id}|${wave.count}|${spec.start + due + ahead}|${clock}`;
        for (let each = id; each < id + wave.count; each += 1) {
          const at = clock + latency * 1000;
          const date = new Date(spec.start + due + latency / 2 - stale).toUTCString();
          const limit = lookup(each)?.kind === 'write' ? 30 : 100;
          answers.push({ at, line: `<|${each}|${clock}|${at}|200|${limit}|${limit - 1}|1795000060|${date}|-` });
        }
      }
    }
  }
  for (const { line } of answers.slice(0, made.answers)) yield line;
  if (made.answers === undefined)
    for (let lane = instance; lane < pacing.lanes(spec); lane += instances) yield `.|${lane}|1`;
}
