import { scaledWall } from '../clock/scaled-time.ts';
import type { LoadSection } from '../report/load-section.ts';
import { type Exchange, NO_HEADERS } from '../trace/exchange.ts';
import type { Intent } from '../trace/trace.ts';
import { clockOffsets, type InstanceClock } from './clock-offsets.ts';
import { extentOf } from './extent.ts';
import type { InstanceReader } from './instance-records.ts';
import type { LoadSpec } from './load-spec.ts';
import { type ClockPlace, ExchangeMaker } from './make-exchange.ts';
import type { InstanceRecords, RecordedWave } from './recorded.ts';
import { requireLanesOnce, requireOneRun, requireWhole } from './whole-run.ts';

/** What a run is, and the wall time in µs since the Unix epoch at time 0 of its clock, in that clock's scale. */
export interface JoinedRun {
  readonly spec: LoadSpec;
  readonly epoch: number;
}

/** What is known about a run besides its answers, after all records are joined. */
export interface JoinedLoad {
  readonly spec: LoadSpec;
  readonly unanswered: readonly Intent[];
  readonly accounting: LoadSection['accounting'];
  /** On the run's clock: all times are its µs. */
  readonly waves: readonly RecordedWave[];
  readonly instances: LoadSection['instances'];
  /** Why the figures or the verdict are not reliable; empty if they are. */
  readonly defects: readonly string[];
}

/** A run that all instances have begun, with each of them on its clock. */
interface Placement extends JoinedRun {
  readonly instances: readonly (ClockPlace & { readonly reader: InstanceReader; readonly clock: InstanceClock })[];
  /** Real wall time in µs since the Unix epoch at time 0 of the run's clock. */
  readonly zero: number;
  readonly maker: ExchangeMaker;
  /** How many requests the plan has. */
  readonly due: number;
}

/** Real µs of a run that are joined at a time: looking through what waits for others is worth it only now and then. */
const STEP = 250_000;

/**
 * Joins the records of all instances while they are read, into one history on one clock. What has been read of an
 * instance waits until no earlier request of another can still come, so that no more is kept than what is under way
 * meanwhile: read on where `behind` says.
 */
export class Joiner {
  readonly #readers: readonly InstanceReader[];
  readonly #clocks: readonly InstanceClock[] | null;
  #placement: Placement | null = null;
  #joined = 0;
  /** The time up to which exchanges were taken. */
  #taken = Number.NEGATIVE_INFINITY;

  /** @param clocks the offsets of the clocks of several machines; null: all instances run on one */
  constructor(readers: readonly InstanceReader[], clocks: readonly InstanceClock[] | null) {
    this.#readers = readers;
    this.#clocks = clocks;
  }

  /** The instance of which more has to be read before more can be joined. */
  get behind(): number {
    const waiting = this.#readers.findIndex(({ begun }) => !begun);
    if (waiting >= 0) return waiting;
    const settled = this.#settled();
    return settled.indexOf(Math.min(...settled));
  }

  /**
   * What the run is; null until all instances have begun.
   *
   * @throws LoadError if one is missing, occurs twice, or belongs to another run: a part of the requests cannot be
   *   judged, because the rest drew on the same budgets
   */
  get begun(): JoinedRun | null {
    return this.#readers.length > 0 && this.#readers.every(({ begun }) => begun) ? this.#place() : null;
  }

  /**
   * The exchanges that have become known, in order of `sent`, numbered from 1 on over all calls. @throws LoadError as
   * `begun`
   */
  take(): readonly Exchange[] {
    if (!this.begun) return [];
    const { instances, maker } = this.#place();
    const settled = Math.min(...this.#settled());
    if (settled - this.#taken < STEP) return [];
    this.#taken = settled;
    const known = instances.flatMap((place, i) => {
      const answers = place.reader.answersBefore(settled - place.shift + place.slack);
      return answers.flatMap((answer) => maker.make(answer, place, i + 1) ?? []);
    });
    known.sort((one, other) => one.sent - other.sent);
    for (const exchange of known) exchange.seq = ++this.#joined;
    return known;
  }

  /** How many requests have been announced, of how many. */
  get progress(): { readonly sent: number; readonly due: number } {
    const sent = this.#readers.reduce((sum, reader) => sum + reader.sent, 0);
    return { sent, due: this.#placement?.due ?? 0 };
  }

  /** The moment (µs of the run's clock) until which everything is known, once the run has begun. */
  get known(): number {
    return Math.floor(Math.min(...this.#settled()) * this.#place().spec.scale) - 1;
  }

  /**
   * What there is beside the answers, once all instances have ended and their answers were taken. @throws LoadError as
   * `begun`
   */
  finish(): JoinedLoad {
    const { instances, spec, maker, zero, due } = this.#place();
    const records = instances.map(({ reader }) => reader.records);
    requireLanesOnce(records);
    const open = instances.flatMap((place, i) =>
      place.reader.records.unanswered.flatMap(({ id, sent }) => {
        const answer = { id, sent, answered: sent, status: 0, failure: 'aborted', headers: NO_HEADERS } as const;
        return maker.make(answer, place, i + 1) ?? [];
      }),
    );
    const unanswered = open
      .sort((one, other) => one.sent - other.sent)
      .map((exchange, i) => exchange.toIntent(this.#joined + i + 1));
    const { sent } = this.progress;
    const { unknown } = maker;
    const dropped = Math.max(0, due - sent);
    return {
      spec,
      unanswered,
      accounting: { due, sent, recorded: this.#joined, dropped, unanswered: unanswered.length },
      waves: instances.flatMap(({ reader, shift }) => wavesOf(reader.records, shift, zero)),
      instances: instances.map(({ reader, clock: { offset, uncertainty } }, i) => {
        const clock = i === 0 ? null : { offset: offset / 1000, uncertainty: uncertainty / 1000 };
        return { name: reader.name, requests: reader.records.sent, clock };
      }),
      defects: [
        ...records.flatMap(defectsOf),
        ...(unknown > 0 ? [`${unknown} records belong to requests that the plan does not have`] : []),
      ],
    };
  }

  /** For each instance when the earliest request may have left that is still to come, in real µs of the run's clock. */
  #settled(): readonly number[] {
    return this.#place().instances.map(({ reader, shift, slack }) => reader.settled + shift - slack);
  }

  #place(): Placement {
    if (this.#placement) return this.#placement;
    const instances = this.#readers.map(({ records }) => records);
    const spec = requireOneRun(instances);
    requireWhole(instances);
    const clocks = this.#clocks ?? clockOffsets(instances, { sameHost: true });
    const epochs = instances.map(({ epoch }, i) => epoch.low - (clocks[i]?.offset ?? 0));
    const zero = Math.min(...epochs);
    this.#placement = {
      spec,
      epoch: scaledWall(zero, spec.scale),
      zero,
      maker: new ExchangeMaker(spec),
      due: extentOf(spec).requests,
      instances: this.#readers.map((reader, i) => {
        const clock = clocks[i] ?? { offset: 0, uncertainty: 0 };
        return { reader, clock, shift: (epochs[i] ?? zero) - zero, slack: clock.uncertainty };
      }),
    };
    return this.#placement;
  }
}

function defectsOf(instance: InstanceRecords): string[] {
  const { name, exceptions, epoch, contradictions } = instance;
  return [
    ...exceptions.map((message) => `the script failed: ${message}`),
    epoch.high < epoch.low && 'its wall clock was set during the run',
    contradictions > 0 && `${contradictions} answers were recorded for requests that were never announced`,
  ].flatMap((defect) => (defect === false ? [] : [`${name}: ${defect}`]));
}

/** Times of an instance's waves on the run's clock. */
function wavesOf({ waves, spec: { scale } }: InstanceRecords, shift: number, zero: number): RecordedWave[] {
  const onRun = (time: number): number => (time + shift) * scale;
  return waves.map(({ due, first, last, count }) => {
    return { due: (due * 1000 - zero) * scale, first: onRun(first), last: onRun(last), count };
  });
}
