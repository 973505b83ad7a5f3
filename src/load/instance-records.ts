import { type CapturedHeaders, type Failure, NO_HEADERS } from '../trace/exchange.ts';
import { LoadError } from './load-error.ts';
import { LOAD_FORMAT, type LoadSpec } from './load-spec.ts';
import { decodeHeaders, decodeLine, type RecordLine } from './record-line.ts';
import { SCENARIOS } from './scenario.ts';

/** What one k6 instance left behind. Times are µs of its own clock. */
export interface InstanceRecords {
  readonly name: string;
  readonly spec: LoadSpec;
  /** Part of the whole that was this instance's, from 0 to 1. */
  readonly segment: { readonly from: number; readonly to: number };
  /** Bounds on its wall clock at clock 0 in real µs since the Unix epoch; crossed where the wall clock was stepped meanwhile. */
  readonly epoch: { readonly low: number; readonly high: number };
  /** T0 as it took it, in real µs since the Unix epoch. */
  readonly start: number;
  /** Numbers of the lanes that began, each as often as it did. */
  readonly lanes: readonly number[];
  readonly lanesDone: number;
  readonly answers: Answers;
  /** Announced, and never heard of again: k6 was killed meanwhile. */
  readonly unanswered: readonly { readonly id: number; readonly sent: number }[];
  /** Empty in the open model, where requests are due one by one. */
  readonly waves: readonly RecordedWave[];
  readonly sent: number;
  /** Records that contradict each other: an answer to what was never sent, or a second one. */
  readonly contradictions: number;
  /** What the script threw, if it did. */
  readonly exceptions: readonly string[];
}

/** Answers in the order in which they came, column by column: so that millions of them take little memory. */
export interface Answers {
  readonly ids: readonly number[];
  readonly sent: readonly number[];
  readonly answered: readonly number[];
  /** 0: none came, for the reason in `failures`. */
  readonly statuses: readonly number[];
  readonly headers: readonly CapturedHeaders[];
  /** By place in the columns. */
  readonly failures: ReadonlyMap<number, Failure>;
}

/** Requests of this instance that were due together, and when the first and the last of them left. */
export interface RecordedWave {
  /** Real wall time in ms. */
  readonly due: number;
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/**
 * Reads the log of one instance, whole or cut off at any byte. Lines that are none of ours are passed over, so a pod's log
 * will do. Throws a LoadError where it holds no records, or those of another format.
 *
 * @param batches whole lines only: what comes after the last line end may be half a record
 */
export async function readInstance(name: string, batches: AsyncIterable<readonly string[]>): Promise<InstanceRecords> {
  const gatherer = new Gatherer(name);
  for await (const lines of batches) {
    for (const line of lines) {
      const record = decodeLine(line);
      if (record) gatherer.take(record);
    }
  }
  return gatherer.finish();
}

class Gatherer {
  readonly #name: string;
  #spec: LoadSpec | null = null;
  #inWaves = true;
  #segment = '0:1';
  #low = Number.NEGATIVE_INFINITY;
  #high = Number.POSITIVE_INFINITY;
  #start = 0;
  #lanesDone = 0;
  #sent = 0;
  #contradictions = 0;
  /** Whether a connection was ever made. */
  #connected = false;
  readonly #lanes: number[] = [];
  readonly #ids: number[] = [];
  readonly #sentAt: number[] = [];
  readonly #answeredAt: number[] = [];
  readonly #statuses: number[] = [];
  readonly #answerHeaders: CapturedHeaders[] = [];
  readonly #failures = new Map<number, Failure>();
  /** By the time at which they were due. */
  readonly #waves = new Map<number, { first: number; last: number; count: number }>();
  readonly #exceptions: string[] = [];
  /** Announced and not answered yet, with the time of the announcement. */
  readonly #open = new Map<number, number>();
  readonly #headers = new HeaderPool();

  constructor(name: string) {
    this.#name = name;
  }

  take(record: RecordLine): void {
    switch (record.type) {
      case 'spec':
        this.#spec = readSpec(record.json, this.#name);
        this.#inWaves = SCENARIOS[this.#spec.scenario].pacing.pacing === 'lanes';
        return;
      case 'lane':
        this.#lanes.push(record.lane);
        this.#segment = record.segment;
        this.#start = record.start * 1000;
        return;
      case 'tick':
        // The wall clock shows whole ms, and time passes between two readings.
        this.#low = Math.max(this.#low, record.wall * 1000 - record.after);
        this.#high = Math.min(this.#high, (record.wall + 1) * 1000 - record.before);
        return;
      case 'intent':
        this.#announce(record.due, record.clock, record.count);
        for (let id = record.id; id < record.id + record.count; id += 1) this.#open.set(id, record.clock);
        return;
      case 'answer': {
        const headers = this.#headers.of(record.headers);
        if (headers) this.#answer(record.id, record.sent, record.answered, record.status, headers);
        return;
      }
      case 'failure': {
        const failure = failureOf(record.code, record.message);
        // k6's client sends a request again by itself where a connection breaks that it had kept: what then cannot connect was sent before.
        const again = this.#connected && (failure === 'refused' || failure === 'dns');
        this.#failures.set(this.#ids.length, again ? 'unknown' : failure);
        this.#answer(record.id, record.sent, record.ended, 0, NO_HEADERS);
        return;
      }
      case 'done':
        this.#lanesDone += 1;
        return;
      case 'exception':
        this.#exceptions.push(record.message);
    }
  }

  finish(): InstanceRecords {
    if (!this.#spec) {
      throw new LoadError(
        `${this.#name} holds no records of a load run`,
        "Give the file that k6 wrote with --console-output and --log-format=raw, or a pod's whole log.",
      );
    }
    if (!Number.isFinite(this.#low)) {
      throw new LoadError(
        `${this.#name} ends before its first request`,
        'k6 was stopped while it was starting: run the load again.',
      );
    }
    const [from = '0', to = '1'] = this.#segment.split(':');
    return {
      name: this.#name,
      spec: this.#spec,
      segment: { from: fraction(from), to: fraction(to) },
      epoch: { low: this.#low, high: this.#high },
      start: this.#start,
      lanes: this.#lanes,
      lanesDone: this.#lanesDone,
      answers: {
        ids: this.#ids,
        sent: this.#sentAt,
        answered: this.#answeredAt,
        statuses: this.#statuses,
        headers: this.#answerHeaders,
        failures: this.#failures,
      },
      unanswered: [...this.#open].map(([id, sent]) => ({ id, sent })),
      waves: [...this.#waves].map(([due, wave]) => ({ due, ...wave })),
      sent: this.#sent,
      contradictions: this.#contradictions,
      exceptions: this.#exceptions,
    };
  }

  #announce(due: number, clock: number, count: number): void {
    this.#sent += count;
    if (!this.#inWaves) return;
    const wave = this.#waves.get(due);
    if (!wave) {
      this.#waves.set(due, { first: clock, last: clock, count });
      return;
    }
    wave.first = Math.min(wave.first, clock);
    wave.last = Math.max(wave.last, clock);
    wave.count += count;
  }

  #answer(id: number, sent: number, answered: number, status: number, headers: CapturedHeaders): void {
    if (status > 0) this.#connected = true;
    if (!this.#open.delete(id)) this.#contradictions += 1;
    this.#ids.push(id);
    this.#sentAt.push(sent);
    this.#answeredAt.push(answered);
    this.#statuses.push(status);
    this.#answerHeaders.push(headers);
  }
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

/** k6's error codes by their hundreds (https://grafana.com/docs/k6/latest/javascript-api/error-codes). */
function failureOf(code: number, message: string): Failure {
  if (code === 1050 || code === 1211 || /time-?out|deadline exceeded/i.test(message)) return 'timeout';
  if (code === 1212) return 'refused';
  if (code >= 1100 && code < 1200) return 'dns';
  if (code >= 1220 && code < 1230) return 'reset';
  if (code >= 1200 && code < 1300) return /reset|broken pipe|EOF/i.test(message) ? 'reset' : 'unknown';
  if (code >= 1300 && code < 1400) return 'tls';
  if (/EOF|reset|closed/i.test(message)) return 'reset';
  return code >= 1600 ? 'protocol' : /malformed|invalid/i.test(message) ? 'protocol' : 'unknown';
}

/** Bounds what is remembered of a run in which every answer has values of its own. */
const MOST_REMEMBERED = 20_000;

/** One object for all answers that carry the same header values: a million answers mostly have few thousand of them. */
class HeaderPool {
  readonly #known = new Map<string, CapturedHeaders>();
  readonly #values = new Map<string, readonly string[]>();

  /** @returns null where the text is not of five values */
  of(encoded: string): CapturedHeaders | null {
    const known = this.#known.get(encoded);
    if (known) return known;
    const text = copyOf(encoded);
    const values = decodeHeaders(text);
    if (!values) return null;
    const [limit, remaining, reset, date, retryAfter] = values;
    const headers: CapturedHeaders = {
      limit: this.#field(limit),
      remaining: this.#field(remaining),
      reset: this.#field(reset),
      date: this.#field(date),
      retryAfter: this.#field(retryAfter),
      other: NO_HEADERS.other,
    };
    if (this.#known.size === MOST_REMEMBERED) this.#known.clear();
    this.#known.set(text, headers);
    return headers;
  }

  /** k6 joins the lines of a repeated field with a comma: that reads as one line, and is no integer either way. */
  #field(value: string | undefined): readonly string[] {
    if (value === undefined) return NO_HEADERS.limit;
    const known = this.#values.get(value);
    if (known) return known;
    const list = [copyOf(value)];
    if (this.#values.size === MOST_REMEMBERED) this.#values.clear();
    this.#values.set(value, list);
    return list;
  }
}

/** The same text in memory of its own: a part of a line would keep all that was read with it. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
