import { realWall } from '../clock/scaled-time.ts';
import { parseHttpDate } from '../judge/conditions.ts';
import { OLDEST_DATE } from '../oracle/server-clock.ts';
import { NO_HEADERS } from '../trace/exchange.ts';
import { HeaderPool } from './header-pool.ts';
import { failureOf } from './k6-failure.ts';
import { LoadError } from './load-error.ts';
import { LOAD_FORMAT, type LoadSpec } from './load-spec.ts';
import { decodeLine, type RecordLine } from './record-line.ts';
import type { InstanceRecords, RecordedAnswer } from './recorded.ts';
import { SCENARIOS } from './scenario.ts';

/**
 * So many readings of the wall clock are in the records of an instance before its first request (`tieClocks` of
 * load/engine.ts).
 */
const TICKS = 10;

/**
 * µs by which a line may be written later than the clock in it says, of lines that lanes write at once: a machine that
 * is busy elsewhere may hold one of them up.
 */
const HELD_UP = 500_000;

/**
 * Reads the log of one instance while it is written, or afterwards; whole, or cut off at any byte. It skips lines of
 * other programs, so a pod's log works too. It keeps requests under way, and answers until they are taken out.
 */
export class InstanceReader {
  readonly name: string;
  readonly #survey: boolean;
  #spec: LoadSpec | null = null;
  #inWaves = true;
  #segment: string | null = null;
  #ticks = 0;
  readonly #epoch = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  readonly #lead = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  #lanesDone = 0;
  /** Requests that were announced. */
  sent = 0;
  #contradictions = 0;
  /** Whether a connection was ever made. */
  #connected = false;
  #ended = false;
  /** The latest known time of its clock. */
  #latest = Number.NEGATIVE_INFINITY;
  readonly #lanes: number[] = [];
  #answers: RecordedAnswer[] = [];
  /** By the time at which they were due. */
  readonly #waves = new Map<number, { first: number; last: number; count: number }>();
  readonly #exceptions: string[] = [];
  /**
   * Announced and not answered yet, with the time of the announcement: in its order, but for what lanes write at once.
   */
  readonly #open = new Map<number, number>();
  readonly #headers = new HeaderPool();

  /** @param survey keeps no answers, but learns from their `Date` how the target's clock stands to this instance's */
  constructor(name: string, survey = false) {
    this.name = name;
    this.#survey = survey;
  }

  /** @throws LoadError where the records are damaged, or of another format */
  read(lines: readonly string[]): void {
    for (const line of lines) {
      const record = decodeLine(line);
      if (record) this.#take(record);
    }
  }

  /** Says that all its lines up to this wall time (real µs since the Unix epoch) have been read. */
  quietAt(wall: number): void {
    if (this.begun) this.#latest = Math.max(this.#latest, wall - this.#epoch.high);
  }

  /** Says that no more lines will come. @throws LoadError if it contains no records */
  end(): void {
    this.#ended = true;
    if (!this.#spec) {
      throw new LoadError(
        `${this.name} contains no records of a load run`,
        "Give the file that k6 wrote with --console-output and --log-format=raw, or a pod's whole log.",
      );
    }
    if (this.#ticks === 0) {
      throw new LoadError(
        `${this.name} ends before its first request`,
        'k6 was stopped while it was starting: run the load again.',
      );
    }
  }

  /** Whether its run and the offset of its clock are known. */
  get begun(): boolean {
    return this.#ended || (this.#spec !== null && this.#segment !== null && this.#ticks >= TICKS);
  }

  /** No request sent before this time of its clock is still to come. */
  get settled(): number {
    if (this.#ended) return Number.POSITIVE_INFINITY;
    for (const [, announced] of this.#open) return Math.min(announced, this.#latest) - HELD_UP;
    return this.#latest - HELD_UP;
  }

  /** Takes out the answers to requests that left before this time of its clock, in the order in which they came. */
  answersBefore(time: number): readonly RecordedAnswer[] {
    const all = this.#answers;
    this.#answers = all.filter(({ sent }) => sent >= time);
    return this.#answers.length === 0 ? all : all.filter(({ sent }) => sent < time);
  }

  /** What is known of it so far. */
  get records(): InstanceRecords {
    if (!this.#spec) throw new Error(`${this.name} has not begun`);
    const [from = '0', to = '1'] = (this.#segment ?? '0:1').split(':');
    return {
      name: this.name,
      spec: this.#spec,
      segment: { from: fraction(from), to: fraction(to) },
      epoch: this.#epoch,
      lead: { low: this.#lead.low - this.#epoch.low, high: this.#lead.high - this.#epoch.low },
      lanes: this.#lanes,
      lanesDone: this.#lanesDone,
      unanswered: [...this.#open].map(([id, sent]) => ({ id, sent })),
      waves: [...this.#waves].map(([due, wave]) => ({ due, ...wave })),
      sent: this.sent,
      contradictions: this.#contradictions,
      exceptions: this.#exceptions,
    };
  }

  #take(record: RecordLine): void {
    switch (record.type) {
      case 'spec':
        if (this.#spec) throw severalIn(this.name);
        this.#spec = readSpec(record.json, this.name);
        this.#inWaves = SCENARIOS[this.#spec.scenario].pacing.pacing === 'lanes';
        return;
      case 'lane':
        this.#lanes.push(record.lane);
        this.#segment = record.segment;
        return;
      case 'tick':
        this.#ticks += 1;
        // The wall clock shows whole ms, and time passes between two readings.
        this.#epoch.low = Math.max(this.#epoch.low, record.wall * 1000 - record.after);
        this.#epoch.high = Math.min(this.#epoch.high, (record.wall + 1) * 1000 - record.before);
        return;
      case 'intent':
        this.#announce(record.due, record.clock, record.count);
        for (let id = record.id; id < record.id + record.count; id += 1) this.#open.set(id, record.clock);
        return;
      case 'answer': {
        const headers = this.#headers.of(record.headers);
        if (!headers) return;
        this.#connected = true;
        this.#answer({ ...record, failure: null, headers });
        return;
      }
      case 'failure': {
        const { id, sent, ended: answered } = record;
        const told = failureOf(record.code, record.message);
        // k6's client repeats a request by itself if a kept connection breaks: if the repetition cannot connect, the
        // request was already sent before.
        const failure = this.#connected && (told === 'refused' || told === 'dns') ? 'unknown' : told;
        this.#answer({ id, sent, answered, status: 0, failure, headers: NO_HEADERS });
        return;
      }
      case 'done':
        this.#lanesDone += 1;
        return;
      case 'exception':
        this.#exceptions.push(record.message);
    }
  }

  #announce(due: number, clock: number, count: number): void {
    this.sent += count;
    if (clock > this.#latest) this.#latest = clock;
    if (!this.#inWaves) return;
    const wave = this.#waves.get(due) ?? { first: clock, last: clock, count: 0 };
    wave.first = Math.min(wave.first, clock);
    wave.last = Math.max(wave.last, clock);
    wave.count += count;
    this.#waves.set(due, wave);
  }

  #answer(answer: RecordedAnswer): void {
    if (!this.#open.delete(answer.id)) this.#contradictions += 1;
    if (answer.answered > this.#latest) this.#latest = answer.answered;
    if (this.#survey) this.#learn(answer);
    else this.#answers.push(answer);
  }

  /**
   * A `Date` of D, sent at a and answered at b, says that the target is ahead by at least D − b, and by less than D and
   * its age less a.
   */
  #learn({ sent, answered, failure, headers: { date } }: RecordedAnswer): void {
    const second = failure === null ? parseHttpDate(date) : null;
    if (second === null) return;
    const scale = this.#spec?.scale ?? 1;
    this.#lead.low = Math.max(this.#lead.low, realWall(second, scale) - answered);
    this.#lead.high = Math.min(this.#lead.high, realWall(second + OLDEST_DATE, scale) - sent);
  }
}

function severalIn(name: string): LoadError {
  return new LoadError(
    `${name} has the records of several generators, or of one twice`,
    'Give the records of each generator once, in a file of their own. If one was started twice, run the load again.',
  );
}

function readSpec(json: string, name: string): LoadSpec {
  let spec: LoadSpec;
  try {
    spec = JSON.parse(json) as LoadSpec;
  } catch {
    throw new LoadError(`${name}: the line that describes the run is damaged`, 'Run the load again.');
  }
  if (spec.format === LOAD_FORMAT) return spec;
  throw new LoadError(
    `${name} has records of format ${String(spec.format)}; this version reads format ${LOAD_FORMAT}`,
    'Use the version of the suite that recorded them.',
  );
}

/** A segment's edge as k6 writes it: `0`, `1`, `1/4`, `0.25` or `25%`. */
function fraction(text: string): number {
  const [top = '0', bottom = '1'] = text.split('/');
  return text.endsWith('%') ? Number.parseFloat(text) / 100 : Number(top) / Number(bottom);
}
