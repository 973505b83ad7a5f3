import { existsSync } from 'node:fs';
import type { Exchange } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';
import { clockOffsets, type InstanceClock } from './clock-offsets.ts';
import { extentOf } from './extent.ts';
import { InstanceReader } from './instance-records.ts';
import { type JoinedLoad, Joiner } from './join-instances.ts';
import { KeyAnswers, keysRefusedText } from './key-answers.ts';
import { LoadFigures } from './load-section.ts';
import { LoadTrace, type RunIdentity } from './load-trace.ts';
import { RecordFile } from './record-file.ts';
import type { InstanceRecords } from './recorded.ts';
import { SCENARIOS } from './scenario.ts';

/** The record file of an instance, and how it is called. */
export interface RecordSource {
  readonly name: string;
  readonly file: string;
}

/** A load run that has been read to its end. */
export interface ReadLoad {
  readonly load: JoinedLoad;
  readonly figures: LoadFigures;
  readonly trace: Trace;
}

/** Reads the records of all instances of a run into one trace, while they are written or afterwards. */
export class LoadReading {
  readonly #sources: readonly { readonly reader: InstanceReader; readonly records: RecordFile }[];
  readonly #joiner: Joiner;
  readonly #identity: RunIdentity;
  readonly #traceFile: string | null;
  readonly #keys = new KeyAnswers();
  #seconds: number | null = null;
  #run: { readonly trace: LoadTrace; readonly figures: LoadFigures } | null = null;

  /**
   * @param clocks how the clocks of several machines stand to each other; null: all instances run on one
   * @param traceFile where the trace is written; null: nowhere
   */
  constructor(
    sources: readonly RecordSource[],
    clocks: readonly InstanceClock[] | null,
    identity: RunIdentity,
    traceFile: string | null,
  ) {
    this.#sources = sources.map(({ name, file }) => {
      return { reader: new InstanceReader(name), records: new RecordFile(file) };
    });
    this.#joiner = new Joiner(
      this.#sources.map(({ reader }) => reader),
      clocks,
    );
    this.#identity = identity;
    this.#traceFile = traceFile;
  }

  /** The run so far; null until all instances have begun. */
  get trace(): LoadTrace | null {
    return this.#run?.trace ?? null;
  }

  /** The keys that the target does not accept, as far as the answers show. */
  get refusedKeys(): readonly string[] {
    return this.#keys.refused;
  }

  /** The moment (µs of the run's clock) until which everything is known. */
  get known(): number {
    return this.#joiner.known;
  }

  /**
   * Reads the lines written so far, and returns the new exchanges.
   *
   * @param now wall time in µs since the Unix epoch
   * @throws LoadError, TraceError
   */
  follow(now: number): readonly Exchange[] {
    for (const { reader, records } of this.#sources) {
      if (!existsSync(records.file)) return [];
      for (const lines of records) reader.read(lines);
      reader.quietAt(now);
    }
    return this.#take();
  }

  /**
   * How far the run has come, in words. Most of a burst scenario's time nothing is sent, so only the time left moves.
   *
   * @param now wall time in µs since the Unix epoch; left out: the run has ended
   */
  progress(now = Number.POSITIVE_INFINITY): string {
    const { sent, due } = this.#joiner.progress;
    const { accepted, refused, other } = this.#begun().figures.counts;
    const share = Math.round((100 * sent) / Math.max(1, due));
    const open = sent - accepted - refused - other;
    const rest = [...(other > 0 ? [`${other} other`] : []), ...(open > 0 ? [`${open} under way`] : [])];
    const left = this.#secondsLeft(now);
    const counts = [`${share} %  ${sent} sent: ${accepted} accepted`, `${refused} refused`, ...rest].join(', ');
    return left > 0 ? `${counts}; at most ${left} s left` : counts;
  }

  /** Whole seconds of real time until the plan has sent its last request. */
  #secondsLeft(now: number): number {
    const spec = this.#joiner.begun?.spec;
    if (!spec || spec.start === null) return 0;
    this.#seconds ??= extentOf(spec).seconds / spec.scale;
    return Math.ceil(spec.start / 1000 + this.#seconds - now / 1e6);
  }

  /**
   * Reads everything to the end, always from the instance that is behind, so little has to wait.
   *
   * @param failures why the run did not finish as planned, according to k6's end; null: nobody saw it, so the records
   *   have to show it
   * @param refused keys that the target does not accept besides those of which the records show it
   * @throws LoadError, TraceError; then no trace is left
   */
  finish(failures: readonly string[] | null, refused: readonly string[] = []): ReadLoad {
    const seen = failures ?? [];
    try {
      for (let open = this.#sources.length; open > 0; ) {
        const behind = this.#sources[this.#joiner.behind];
        const lines = behind?.records.read() ?? null;
        if (lines) behind?.reader.read(lines);
        else {
          behind?.reader.end();
          open -= 1;
        }
        this.#take();
      }
      const load = this.#joiner.finish();
      const { trace, figures } = this.#begun();
      const isBlocked = this.refusedKeys.length > 0;
      if (isBlocked) trace.block(keysRefusedText([...new Set([...this.refusedKeys, ...refused])]));
      const isExplained = isBlocked || seen.length > 0;
      const why = isExplained ? seen : this.#shortfalls(load, failures === null);
      return { load, figures, trace: trace.end(load, [...why, ...load.defects]) };
    } catch (error) {
      this.trace?.discard();
      if (error instanceof Error && seen.length > 0) error.message = `${seen.join('; ')} (${error.message})`;
      throw error;
    } finally {
      for (const { records } of this.#sources) records.close();
    }
  }

  /** Why the run did not finish, if its records show it. @param unseen whether nobody saw how k6 ended */
  #shortfalls(load: JoinedLoad, unseen: boolean): readonly string[] {
    const lanes = this.#sources.flatMap(({ reader }) => unfinishedLanes(reader.records));
    return [...(unseen ? missingRequests(load) : []), ...lanes];
  }

  #take(): readonly Exchange[] {
    if (!this.#joiner.begun) return [];
    const { trace, figures } = this.#begun();
    const exchanges = this.#joiner.take();
    for (const exchange of exchanges) {
      trace.take(exchange);
      this.#keys.take(exchange);
      figures.take(exchange);
    }
    return exchanges;
  }

  #begun(): { readonly trace: LoadTrace; readonly figures: LoadFigures } {
    const run = this.#joiner.begun;
    if (!run) throw new Error('the run has not begun');
    this.#run ??= { trace: new LoadTrace(run, this.#identity, this.#traceFile), figures: new LoadFigures(run.spec) };
    return this.#run;
  }
}

/**
 * What the records lack of the plan. In the open model nothing marks the end of an instance: only the number of
 * requests shows it.
 */
function missingRequests({ spec, instances, accounting: { due, sent, unanswered } }: JoinedLoad): readonly string[] {
  // At the end of a changing rate, k6's rounding may leave out the last request of each instance.
  const rounding = SCENARIOS[spec.scenario].pacing.pacing === 'arrivals' ? instances.length : 0;
  if (sent + rounding < due)
    return [`only ${sent} of ${due} planned requests were sent: k6 was stopped, or could not keep up`];
  return unanswered > 0 ? [`k6 was stopped before ${unanswered} of ${due} requests had ended`] : [];
}

/** Why an instance did not finish, if its lanes show it. */
function unfinishedLanes({ name, lanes, lanesDone, spec }: InstanceRecords): readonly string[] {
  const inLanes = SCENARIOS[spec.scenario].pacing.pacing === 'lanes';
  return inLanes && lanesDone < lanes.length ? [`${name}: k6 ended before its lanes had finished`] : [];
}

/**
 * How the clocks of instances that ran on several machines stand to each other: that takes a pass over all their
 * answers.
 *
 * @throws LoadError
 */
export function surveyClocks(sources: readonly RecordSource[]): readonly InstanceClock[] {
  const instances = sources.map(({ name, file }) => {
    const reader = new InstanceReader(name, true);
    const records = new RecordFile(file);
    for (const lines of records) reader.read(lines);
    records.close();
    reader.end();
    return reader.records;
  });
  return clockOffsets(instances, { sameHost: false });
}
